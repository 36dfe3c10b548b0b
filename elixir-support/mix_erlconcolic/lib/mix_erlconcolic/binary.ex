defmodule MixErlconcolic.Binary do
  @moduledoc """
  Finds the program `erlconcolic`: by the option `binary`, by the environment variable, or on the
  PATH.
  """

  @variable "ERLCONCOLIC"
  @name "erlconcolic"

  @doc "The path of the program."
  @spec find(nil | Path.t()) :: {:ok, Path.t()} | {:error, term}
  def find(nil) do
    case {System.get_env(@variable, ""), System.find_executable(@name)} do
      {"", nil} -> {:error, :no_binary}
      {"", path} -> {:ok, path}
      {path, _} -> check(path, :environment)
    end
  end

  def find(path), do: check(path, :option)

  # As in a shell, a name without a folder is searched on the PATH.
  defp check(path, origin) do
    case System.find_executable(path) do
      nil -> {:error, {:no_binary, path, origin}}
      found -> {:ok, Path.expand(found)}
    end
  end
end
