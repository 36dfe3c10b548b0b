defmodule Texts do
  @moduledoc "String, sigils and Regex."

  # finds: error RuntimeError
  @spec loud(String.t()) :: String.t()
  def loud(text) do
    if String.upcase(text) == "BUG", do: raise("loud"), else: text
  end

  # finds: error RuntimeError
  @spec counted(String.t()) :: non_neg_integer()
  def counted(text) do
    if String.length(text) == 3 and String.reverse(text) == "cba", do: raise("abc")
    String.length(text)
  end

  # finds: error RuntimeError
  @spec parts(String.t()) :: [String.t()]
  def parts(text) do
    case String.split(text, ",") do
      ["k", "v"] -> raise "k, v"
      parts -> parts
    end
  end

  # finds: error RuntimeError
  @spec trimmed(String.t()) :: String.t()
  def trimmed(text) do
    case String.trim(text) do
      "x" when byte_size(text) > 2 -> raise "spaces around x"
      trimmed -> trimmed
    end
  end

  # finds: error RuntimeError
  @spec prefixed(String.t()) :: boolean()
  def prefixed(text) do
    if String.starts_with?(text, "ab") and String.ends_with?(text, "yz"), do: raise("ab..yz")
    String.contains?(text, "q")
  end

  # finds: error badarg
  @spec number(String.t()) :: integer()
  def number(text), do: String.to_integer(text)

  # finds: error RuntimeError
  @spec replaced(String.t()) :: String.t()
  def replaced(text) do
    case String.replace(text, "a", "b") do
      "bb" -> raise "bb"
      text -> text
    end
  end

  # finds: error RuntimeError
  @spec interpolated(integer(), atom()) :: String.t()
  def interpolated(number, name) do
    case "#{name}-#{number}" do
      "id-12" -> raise "id-12"
      text -> text
    end
  end

  # A string is UTF-8, so this cannot fail.
  # clean
  @spec valid(String.t()) :: boolean()
  def valid(text) do
    true = String.valid?(text)
  end

  # finds: error {badmatch,_}
  @spec any_bytes(binary()) :: boolean()
  def any_bytes(bytes) do
    true = String.valid?(bytes)
  end

  # finds: error RuntimeError
  @spec longer_in_bytes(String.t()) :: non_neg_integer()
  def longer_in_bytes(<<_::utf8>> = text) when byte_size(text) == 3, do: raise("three bytes")
  def longer_in_bytes(text), do: byte_size(text)

  # finds: error RuntimeError
  @spec word(String.t()) :: boolean()
  def word(text) when text in ~w(yes no maybe), do: raise("a word of the list")
  def word(_text), do: false

  # clean
  @spec matched(String.t()) :: boolean()
  def matched(text), do: Regex.match?(~r/^a+b$/, text)

  # finds: error RuntimeError
  @spec padded(0..20) :: String.t()
  def padded(number) do
    case number |> Integer.to_string() |> String.pad_leading(3, "0") do
      "017" -> raise "017"
      text -> text
    end
  end

  # finds: error RuntimeError
  @spec characters(String.t()) :: [String.t()]
  def characters(text) do
    case String.graphemes(text) do
      ["x", "y"] -> raise "x, y"
      graphemes -> graphemes
    end
  end

  # finds: error RuntimeError
  @spec encoded(binary()) :: String.t()
  def encoded(bytes) do
    case Base.encode16(bytes) do
      "0F" -> raise "15"
      text -> text
    end
  end
end
