defmodule Cart.Item do
  @moduledoc "Something to buy."

  @enforce_keys [:kind, :price]
  defstruct [:kind, :price, quantity: 1]

  @type t :: %__MODULE__{
          kind: :book | :game,
          price: non_neg_integer,
          quantity: pos_integer
        }
end
