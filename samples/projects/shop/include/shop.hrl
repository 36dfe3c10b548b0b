%% One line of an order.
-record(line,
        {kind :: book | game,
         price :: money:cents()}).
