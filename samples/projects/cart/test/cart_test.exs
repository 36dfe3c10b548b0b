defmodule CartTest do
  use ExUnit.Case, async: true

  alias Cart.{Coupon, Item}

  @items [
    %Item{kind: :book, price: 1200},
    %Item{kind: :game, price: 3000, quantity: 2}
  ]

  test "items are added up" do
    assert Cart.total(@items, :none) == 7200
  end

  test "a voucher for the order never makes it negative" do
    assert Cart.total(@items, {:order, 200}) == 7000
    assert Cart.total(@items, {:order, 9999}) == 0
  end

  test "a voucher for games leaves books alone" do
    assert Cart.total(@items, {:games, 500}) == 6700
  end

  test "coupons are read" do
    assert Coupon.parse("SAVE500") == {:ok, {:order, 500}}
    assert Coupon.parse("GAMES") == {:ok, {:games, 1000}}
    assert Coupon.parse("save") == :error
  end
end
