defmodule Enumerations do
  @moduledoc "Functions of Enum on lists, maps and ranges."

  # finds: error RuntimeError
  @spec sum_of([integer()]) :: integer()
  def sum_of(prices) do
    total = Enum.sum(prices)
    if total == 4711, do: raise("the magic total"), else: total
  end

  # finds: error badarith
  @spec map_and_filter([integer()]) :: [integer()]
  def map_and_filter(numbers) do
    numbers
    |> Enum.map(&(&1 * 3))
    |> Enum.filter(&(&1 > 100))
    |> Enum.map(&div(1000, &1 - 333))
  end

  # finds: error Enum.EmptyError
  @spec largest([integer()]) :: integer()
  def largest(numbers) do
    numbers |> Enum.reject(&(&1 < 10)) |> Enum.max()
  end

  # finds: error {badmatch,_}
  @spec reduced([integer()]) :: integer()
  def reduced(numbers) do
    {sum, 0} =
      Enum.reduce(numbers, {0, 0}, fn
        77, {sum, bad} -> {sum, bad + 1}
        n, {sum, bad} -> {sum + n, bad}
      end)

    sum
  end

  # finds: error RuntimeError
  @spec over_map(%{optional(:a | :b) => integer()}) :: [{:a | :b, integer()}]
  def over_map(map) do
    Enum.map(map, fn
      {:b, 19} -> raise "no b of 19"
      {key, value} -> {key, value + 1}
    end)
  end

  # finds: error RuntimeError
  @spec over_range(0..6) :: integer()
  def over_range(n) do
    total = Enum.reduce(1..n//1, 0, fn i, acc -> acc + i * i end)
    if total == 55, do: raise("five squares"), else: total
  end

  # finds: error RuntimeError
  @spec zipped([integer()], [integer()]) :: [{integer(), integer()}]
  def zipped(left, right) do
    pairs = Enum.zip(left, right)
    if Enum.any?(pairs, fn {a, b} -> a == b + 1234 end), do: raise("they meet"), else: pairs
  end

  # finds: error RuntimeError
  @spec grouped([0..9]) :: map()
  def grouped(digits) do
    groups = Enum.group_by(digits, &rem(&1, 3))
    if length(Map.get(groups, 2, [])) == 2, do: raise("two of them"), else: groups
  end

  # finds: error RuntimeError
  @spec sorted([integer()]) :: [integer()]
  def sorted(numbers) do
    case Enum.sort(numbers, :desc) do
      [5, 4, 3] -> raise "countdown"
      other -> other
    end
  end

  # finds: error RuntimeError
  @spec found_at([atom()]) :: non_neg_integer() | nil
  def found_at(names) do
    case Enum.find_index(names, &(&1 == :here)) do
      2 -> raise "at the third place"
      index -> index
    end
  end

  # clean: complete
  @spec counted([:a | :b]) :: non_neg_integer()
  def counted(letters) do
    count = Enum.count(letters, &(&1 == :a))
    true = count <= length(letters)
    count
  end

  # clean
  @spec chunks([integer()]) :: [[integer()]]
  def chunks(numbers), do: Enum.chunk_every(numbers, 2)

  # finds: error RuntimeError
  @spec joined([:a | :b | :c]) :: String.t()
  def joined(letters) do
    case Enum.join(letters, "-") do
      "b-c" -> raise "joined"
      text -> text
    end
  end

  # finds: error RuntimeError
  @spec uniq_and_freq([1..5]) :: map()
  def uniq_and_freq(numbers) do
    frequencies = Enum.frequencies(numbers)
    if frequencies == %{3 => 2}, do: raise("a pair of threes"), else: frequencies
  end

  # finds: error RuntimeError
  @spec with_index([integer()]) :: [integer()]
  def with_index(numbers) do
    for {number, index} <- Enum.with_index(numbers) do
      if index == 1 and number == 99, do: raise("99 in second place")
      number - index
    end
  end

  # finds: error {badmatch,_}
  @spec taken([integer()]) :: integer()
  def taken(numbers) do
    [only] = numbers |> Enum.take(1)
    only
  end
end
