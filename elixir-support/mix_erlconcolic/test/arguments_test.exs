defmodule MixErlconcolic.ArgumentsTest do
  use ExUnit.Case, async: true

  alias MixErlconcolic.Arguments

  @shop %{name: "shop", ebin: "lib/shop/ebin", modules: ["Elixir.Shop", "Elixir.Shop.Item"]}
  @stock %{name: "stock", ebin: "lib/stock/ebin", modules: ["stock"]}
  @money %{name: "money", ebin: "lib/money/ebin", modules: ["Elixir.Money"]}
  @paths ~w(--pa elixir/ebin --pa lib/shop/ebin --pa lib/stock/ebin --pa lib/money/ebin)

  defp made(options, applications \\ [@shop, @stock]) do
    project = %{applications: applications, dependencies: [@money], code_paths: ["elixir/ebin"]}
    Arguments.make(options, project)
  end

  defp words(text), do: {:ok, OptionParser.split(text)}

  test "everything is explored without options" do
    assert made(%{}) ==
             words("explore lib/shop/ebin lib/stock/ebin #{Enum.join(@paths, " ")} --all")
  end

  test "functions, modules and applications are chosen" do
    {:ok, arguments} = made(%{entry: ["Shop.total/1"], module: ["Shop"]})
    assert Enum.take(arguments, -4) == ~w(--entry Shop.total/1 --module Shop)
    {:ok, arguments} = made(%{app: ["stock"], exclude: ["x"]})
    assert Enum.take(arguments, -4) == ~w(--module stock --exclude x)
    assert made(%{app: ["shops"]}) == {:error, {:no_application, "shops", ["shop", "stock"]}}
  end

  test "with dependencies only the modules of the project are explored" do
    {:ok, arguments} = made(%{deps: true, exclude: ["Shop.Item"]})
    assert "lib/money/ebin" in arguments
    assert Enum.take(arguments, -4) == ["--module", "'Elixir.Shop'", "--module", "stock"]
  end

  test "other options are passed on" do
    options = %{timeout: "5", first: true, allow: ["file", "-x"], pa: ["more"]}
    {:ok, arguments} = made(options)
    assert Enum.take(arguments, -7) == ~w(--all --timeout 5 --first --allow file --allow=-x)
    assert ["--pa", "more"] == arguments |> Enum.drop(3) |> Enum.take(2)
  end

  test "a project without modules is an error" do
    assert made(%{}, [%{@shop | modules: []}]) == {:error, :no_modules}
  end
end
