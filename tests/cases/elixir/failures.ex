defmodule Failures do
  @moduledoc "raise, rescue, catch, after and exceptions of one's own."

  defmodule Refused do
    defexception [:code, message: "refused"]
  end

  # finds: error ArgumentError
  @spec checked(integer()) :: integer()
  def checked(n) do
    if n == 1001, do: raise(ArgumentError, message: "not #{n}"), else: n
  end

  # finds: error Failures.Refused
  @spec own(integer()) :: integer()
  def own(n) when n > 40 and n < 43, do: raise(Refused, code: n)
  def own(n), do: n

  # finds: error RuntimeError
  @spec rescued(integer()) :: integer()
  def rescued(n) do
    try do
      div(10, n - 5)
    rescue
      ArithmeticError -> reraise_as(n)
    end
  end

  defp reraise_as(n), do: raise("no quotient for #{n}")

  # finds: error ArgumentError
  @spec reraised(integer()) :: integer()
  def reraised(n) do
    try do
      checked(n)
    rescue
      e in ArgumentError -> reraise e, __STACKTRACE__
    end
  end

  # clean: complete
  @spec safe(integer(), integer()) :: integer()
  def safe(a, b) do
    try do
      div(a, b)
    rescue
      ArithmeticError -> 0
    after
      :ok
    end
  end

  # finds: throw {found,_}
  @spec thrown([integer()]) :: :none
  def thrown(numbers) do
    Enum.each(numbers, fn n -> if n == 321, do: throw({:found, n}) end)
    :none
  end

  # clean: complete
  @spec caught([integer()]) :: atom()
  def caught(numbers) do
    try do
      if List.first(numbers) == 5, do: throw(:five), else: :other
    catch
      :five -> :caught
    end
  end

  # finds: exit {refused,_}
  @spec exits(integer()) :: integer()
  def exits(n) do
    if n == -9, do: exit({:refused, n}), else: n
  end

  # finds: error RuntimeError
  @spec message_of(integer()) :: String.t()
  def message_of(n) do
    try do
      own(n)
      "fine"
    rescue
      e in Refused ->
        if Exception.message(e) == "refused" and e.code == 42, do: raise("code 42")
        Exception.message(e)
    end
  end
end
