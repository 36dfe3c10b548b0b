defmodule Cart do
  @moduledoc "A shopping cart: what it costs, in cents, with a voucher or without."

  alias Cart.{Item, Priced}

  @typedoc "Cents off the whole order, or split between its games."
  @type voucher :: :none | {:order, non_neg_integer} | {:games, non_neg_integer}

  @doc "The sum of all items, less the voucher."
  @spec total([Item.t()], voucher) :: integer
  def total(items, :none) do
    items |> Enum.map(&Priced.price/1) |> Enum.sum()
  end

  def total(items, {:order, off}) do
    max(total(items, :none) - off, 0)
  end

  def total(items, {:games, off}) do
    games = Enum.count(items, &(&1.kind == :game))
    share = div(off, games)

    Enum.reduce(items, 0, fn
      %Item{kind: :game} = item, sum -> sum + max(Priced.price(item) - share, 0)
      item, sum -> sum + Priced.price(item)
    end)
  end
end
