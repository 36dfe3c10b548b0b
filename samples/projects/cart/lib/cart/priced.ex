defprotocol Cart.Priced do
  @moduledoc "Everything that has a price."

  @doc "The price in cents."
  @spec price(t) :: non_neg_integer
  def price(value)
end

defimpl Cart.Priced, for: Cart.Item do
  def price(item), do: item.price * item.quantity
end
