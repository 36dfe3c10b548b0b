defmodule Collections do
  @moduledoc "List, MapSet, Stream, opaque types and dates."

  defmodule Stack do
    @opaque t :: %__MODULE__{items: [integer()]}
    defstruct items: []

    @spec new() :: t()
    def new, do: %Stack{}

    @spec push(t(), integer()) :: t()
    def push(%Stack{items: items} = stack, item), do: %{stack | items: [item | items]}

    @spec pop(t()) :: {integer(), t()} | :empty
    def pop(%Stack{items: []}), do: :empty
    def pop(%Stack{items: [item | items]}), do: {item, %Stack{items: items}}
  end

  # finds: error RuntimeError
  @spec lists([integer()]) :: [integer()]
  def lists(numbers) do
    case List.delete(numbers, 3) do
      [1, 2] when length(numbers) == 3 -> raise "3 was there"
      others -> List.flatten([others, [0]])
    end
  end

  # finds: error RuntimeError
  @spec last_of([integer()]) :: integer() | nil
  def last_of(numbers) do
    if List.last(numbers) == 9 and List.first(numbers) == 1, do: raise("1 to 9")
    List.last(numbers)
  end

  # finds: error RuntimeError
  @spec made_set([0..9]) :: non_neg_integer()
  def made_set(numbers) do
    set = MapSet.new(numbers)
    if MapSet.member?(set, 7) and MapSet.size(set) == 2, do: raise("7 and another")
    MapSet.size(set)
  end

  # finds: error RuntimeError
  @spec given_set(MapSet.t(integer())) :: non_neg_integer()
  def given_set(set) do
    if MapSet.member?(set, 5), do: raise("five"), else: MapSet.size(set)
  end

  # finds: error RuntimeError
  @spec stacked(Stack.t()) :: integer()
  def stacked(stack) do
    case Stack.pop(stack) do
      {13, _} -> raise "13 on top"
      {item, _} -> item
      :empty -> 0
    end
  end

  # finds: error RuntimeError
  @spec streamed([integer()]) :: [integer()]
  def streamed(numbers) do
    result =
      numbers
      |> Stream.map(&(&1 + 1))
      |> Stream.filter(&(rem(&1, 2) == 0))
      |> Enum.to_list()

    if result == [4, 8], do: raise("4, 8"), else: result
  end

  # finds: error RuntimeError
  @spec limited(0..5) :: [integer()]
  def limited(n) do
    case 1 |> Stream.iterate(&(&1 * 2)) |> Enum.take(n) do
      [1, 2, 4, 8] -> raise "up to 8"
      powers -> powers
    end
  end

  # finds: error RuntimeError
  @spec dates(1..31) :: Date.t()
  def dates(day) do
    case Date.new!(2024, 1, day) |> Date.add(30) do
      %Date{month: 2, day: 29} = date -> raise "leap day #{date.year}"
      date -> date
    end
  end

  # finds: error FunctionClauseError
  @spec enumerable(Enumerable.t()) :: integer()
  def enumerable(things) do
    Enum.each(things, fn
      :wrong -> raise FunctionClauseError, []
      _ -> :ok
    end)

    0
  end

  # clean
  @spec inspected(integer() | atom()) :: String.t()
  def inspected(value), do: inspect(value)
end
