%% One thing that is ordered.
-record(line,
        {kind :: book | game,
         price :: money:cents()}).
