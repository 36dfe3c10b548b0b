defmodule Language do
  @moduledoc "Comprehensions, with, cond, guards, defaults, funs."

  defguard is_small(n) when is_integer(n) and n >= 0 and n < 10

  # finds: error RuntimeError
  @spec comprehension([integer()]) :: [integer()]
  def comprehension(numbers) do
    case for n <- numbers, rem(n, 2) == 0, do: div(n, 2) do
      [21, 3] -> raise "21, 3"
      halves -> halves
    end
  end

  # finds: error RuntimeError
  @spec into([{:a | :b, integer()}]) :: map()
  def into(pairs) do
    case for {key, value} <- pairs, into: %{}, do: {key, value * 10} do
      %{a: 30} -> raise "a is 30"
      map -> map
    end
  end

  # finds: error RuntimeError
  @spec reduced([integer()]) :: integer()
  def reduced(numbers) do
    total = for n <- numbers, reduce: 1, do: (acc -> acc * 2 + n)
    if total == 21, do: raise("21"), else: total
  end

  # finds: error RuntimeError
  @spec bytes(binary()) :: [byte()]
  def bytes(binary) do
    case for <<byte <- binary>>, byte > 100, do: byte do
      [101, 102] -> raise "101, 102"
      large -> large
    end
  end

  # finds: error {else_clause,_} or {with_clause,_}
  @spec steps(map()) :: integer()
  def steps(request) do
    with {:ok, user} <- Map.fetch(request, :user),
         {:ok, age} when age > 17 <- age_of(user) do
      age
    else
      :error -> 0
      {:error, :unknown} -> 1
    end
  end

  defp age_of(:ann), do: {:ok, 17}
  defp age_of(:bob), do: {:ok, 40}
  defp age_of(_), do: {:error, :unknown}

  # finds: error cond_clause
  @spec chosen(integer()) :: atom()
  def chosen(n) do
    cond do
      n > 10 -> :large
      n < 10 -> :small
    end
  end

  # finds: error function_clause
  @spec guarded(integer()) :: integer()
  def guarded(n) when is_small(n), do: n
  def guarded(n) when n >= 10, do: n - 10

  # finds: error RuntimeError
  @spec default(integer(), integer()) :: integer()
  def default(n, step \\ 5) do
    unless n + step != 100 do
      raise "one hundred"
    end

    n
  end

  # finds: error RuntimeError
  @spec default(integer()) :: integer()
  # finds: error RuntimeError
  @spec captured([integer()]) :: [integer()]
  def captured(numbers) do
    add = &Kernel.+(&1, 1)
    double = fn n -> n * 2 end

    case numbers |> Enum.map(add) |> Enum.map(double) do
      [8] -> raise "eight"
      other -> other
    end
  end

  # finds: error RuntimeError
  @spec pattern(binary()) :: binary()
  def pattern(<<"GET ", path::binary-size(2), "\n">>) when path != "/a", do: raise(path)
  def pattern(<<_::utf8, rest::binary>>), do: rest
  def pattern(other), do: other

  # finds: error {case_clause,_}
  @spec switch(:on | :off | {:dim, 0..100}) :: integer()
  def switch(state) do
    case state do
      :on -> 100
      :off -> 0
      {:dim, n} when n < 100 -> n
    end
  end

  # finds: error {badbool,_}
  @spec strict(term()) :: boolean()
  def strict(value) do
    value and true
  end

  # clean: complete
  @spec pinned(integer(), integer()) :: boolean()
  def pinned(a, b) do
    case a do
      ^b -> a == b
      _ -> a != b
    end
  end
end
