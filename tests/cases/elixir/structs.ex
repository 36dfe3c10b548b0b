defmodule Structs do
  @moduledoc "Structs, their types, and protocols."

  defmodule Item do
    @enforce_keys [:price]
    defstruct [:price, qty: 1, tags: []]
    @type t :: %__MODULE__{price: integer(), qty: non_neg_integer(), tags: [atom()]}
  end

  defmodule Money do
    defstruct cents: 0
    @type t :: %__MODULE__{cents: integer()}
  end

  defprotocol Cost do
    @spec of(t()) :: integer()
    def of(thing)
  end

  defimpl Cost, for: Item do
    def of(item), do: item.price * item.qty
  end

  defimpl Cost, for: Money do
    def of(%{cents: cents}), do: div(cents, 100)
  end

  defimpl Cost, for: List do
    def of(things), do: things |> Enum.map(&Cost.of/1) |> Enum.sum()
  end

  defimpl Cost, for: Integer do
    def of(n), do: n
  end

  defimpl String.Chars, for: Money do
    def to_string(%{cents: cents}), do: "#{div(cents, 100)}.#{rem(cents, 100)}"
  end

  # finds: error badarith
  @spec share(Item.t()) :: integer()
  def share(%Item{price: price, qty: qty}), do: div(price, qty)

  # finds: error RuntimeError
  @spec changed(Item.t()) :: Item.t()
  def changed(item) do
    case %{item | qty: item.qty + 1} do
      %Item{price: 50, qty: 8} -> raise "50 times 8"
      changed -> changed
    end
  end

  # finds: error RuntimeError
  @spec by_protocol(Item.t() | Money.t()) :: integer()
  def by_protocol(thing) do
    case Cost.of(thing) do
      144 -> raise "a gross"
      cost -> cost
    end
  end

  # finds: error RuntimeError
  @spec all_of([Item.t() | integer()]) :: integer()
  def all_of(things) do
    case Cost.of(things) do
      77 -> raise "77"
      cost -> cost
    end
  end

  # finds: error Protocol.UndefinedError
  @spec of_anything(Money.t() | atom()) :: integer()
  def of_anything(thing), do: Cost.of(thing)

  # finds: error RuntimeError
  @spec of_protocol_type(Cost.t()) :: integer()
  def of_protocol_type(thing) do
    case Cost.of(thing) do
      -12 -> raise "-12"
      cost -> cost
    end
  end

  # finds: error RuntimeError
  @spec as_text(Money.t()) :: String.t()
  def as_text(money) do
    case to_string(money) do
      "3.50" -> raise "3.50"
      text -> text
    end
  end

  # finds: error {badkey,_}
  @spec field(Item.t()) :: integer()
  def field(item) do
    if item.price == 8, do: Map.fetch!(item, :weight), else: item.qty
  end

  # clean: complete
  @spec is_item(Item.t() | Money.t()) :: boolean()
  def is_item(thing), do: is_struct(thing, Item) != is_struct(thing, Money)
end
