defmodule Cart.Coupon do
  @moduledoc "Vouchers as customers type them."

  @doc "Reads a voucher: `SAVE500` takes 500 cents off the order."
  @spec parse(String.t()) :: {:ok, Cart.voucher()} | :error
  def parse("SAVE" <> digits), do: {:ok, {:order, String.to_integer(digits)}}
  def parse("GAMES"), do: {:ok, {:games, 1000}}
  def parse(_), do: :error
end
