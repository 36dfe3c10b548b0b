defmodule Numbers do
  @moduledoc "Integer, Float, Range and Bitwise."
  import Bitwise

  # finds: error badarith
  @spec floor_div(integer(), integer()) :: integer()
  def floor_div(a, b), do: Integer.floor_div(a, b - 3)

  # finds: error RuntimeError
  @spec digits(0..999) :: [integer()]
  def digits(number) do
    case Integer.digits(number) do
      [3, 1, 4] -> raise "pi"
      digits -> digits
    end
  end

  # finds: error RuntimeError
  @spec parsed(String.t()) :: integer()
  def parsed(text) do
    case Integer.parse(text) do
      {7, "x"} -> raise "7x"
      {number, _rest} -> number
      :error -> 0
    end
  end

  # finds: error RuntimeError
  @spec power(0..4) :: integer()
  def power(exponent) do
    if Integer.pow(3, exponent) == 27, do: raise("a cube"), else: exponent
  end

  # finds: error RuntimeError
  @spec gcd(1..20) :: integer()
  def gcd(n) do
    if Integer.gcd(n, 12) == 6, do: raise("six"), else: n
  end

  # finds: error RuntimeError
  @spec member(integer()) :: boolean()
  def member(n) do
    if n in 100..200//7 and n not in 100..170, do: raise("on the way"), else: false
  end

  # finds: error RuntimeError
  @spec in_range(Range.t()) :: non_neg_integer()
  def in_range(first..last//step) do
    if first == 4 and last == 9 and step == -2, do: raise("backwards"), else: step
  end

  # finds: error RuntimeError
  @spec bits(0..255) :: integer()
  def bits(byte) do
    if (byte &&& 0b1010) == 0b1010 and (byte >>> 4) == 3, do: raise("bits"), else: byte
  end

  # clean: complete
  @spec even(-3..3) :: boolean()
  def even(n) do
    require Integer
    true = Integer.is_even(n) or Integer.is_odd(n)
  end

  # finds: error RuntimeError
  @spec rounded(float()) :: float()
  def rounded(x) when x > 2.0 and x < 3.0, do: raise("between")
  def rounded(x), do: x
end
