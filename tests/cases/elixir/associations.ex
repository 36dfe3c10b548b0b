defmodule Associations do
  @moduledoc "Map, Keyword, Access and Tuple."

  # finds: error {badkey,_}
  @spec fetched(%{optional(atom()) => integer()}) :: integer()
  def fetched(map) do
    if Map.get(map, :size) == 12, do: Map.fetch!(map, :colour), else: 0
  end

  # finds: error RuntimeError
  @spec updated(%{count: integer()}) :: map()
  def updated(map) do
    case Map.update!(map, :count, &(&1 + 1)) do
      %{count: 100} -> raise "one hundred"
      changed -> changed
    end
  end

  # finds: error RuntimeError
  @spec merged(%{optional(:a) => integer()}, %{optional(:a) => integer()}) :: map()
  def merged(left, right) do
    case Map.merge(left, right, fn _key, a, b -> a - b end) do
      %{a: -8} -> raise "difference of -8"
      map -> map
    end
  end

  # finds: error KeyError
  @spec option(keyword(integer())) :: integer()
  def option(options) do
    limit = Keyword.get(options, :limit, 10)
    if limit == 3, do: Keyword.fetch!(options, :offset), else: limit
  end

  # finds: error RuntimeError
  @spec validated([{:limit | :offset, integer()}]) :: keyword()
  def validated(options) do
    options = Keyword.merge([limit: 5, offset: 0], options)
    if options[:limit] + options[:offset] == 42, do: raise("42"), else: options
  end

  # finds: error RuntimeError
  @spec nested(%{user: %{optional(:name) => atom()}}) :: atom()
  def nested(data) do
    case get_in(data, [:user, :name]) do
      :root -> raise "not allowed"
      name -> name
    end
  end

  # finds: error RuntimeError
  @spec put_deep(%{a: %{b: integer()}}) :: map()
  def put_deep(data) do
    case update_in(data.a.b, &(&1 * 2)) do
      %{a: %{b: 64}} -> raise "64"
      changed -> changed
    end
  end

  # finds: error RuntimeError
  @spec tuples({integer(), integer()}) :: tuple()
  def tuples(pair) do
    case pair |> Tuple.to_list() |> Enum.reverse() do
      [1, 2] -> raise "one, two"
      _ -> Tuple.delete_at(pair, 0)
    end
  end

  # clean: complete
  @spec popped(%{optional(:a) => boolean()}) :: map()
  def popped(map) do
    {_value, rest} = Map.pop(map, :a)
    false = Map.has_key?(rest, :a)
    rest
  end

  # finds: error RuntimeError
  @spec from_pairs([{:x | :y, integer()}]) :: map()
  def from_pairs(pairs) do
    case Map.new(pairs) do
      %{x: 3, y: 4} -> raise "a triangle"
      map -> map
    end
  end
end
