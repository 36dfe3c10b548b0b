defmodule MixErlconcolic.OptionsTest do
  use ExUnit.Case, async: true

  alias MixErlconcolic.{Message, Options}

  defp gathered(words, configured \\ []), do: Options.gather(words, configured)

  test "options of the command line are read" do
    words = ~w(--entry Shop.total/1 --entry Shop.add/2 --term-depth 3 --first --no-spec)

    assert gathered(words) ==
             {:ok,
              %{
                entry: ["Shop.total/1", "Shop.add/2"],
                term_depth: "3",
                first: true,
                no_spec: true
              }}
  end

  test "options of mix.exs have the values that Elixir has" do
    configured = [
      {:entry, ["Shop.total/1", {Shop, :average, 1}, {:lists, :max, 1}]},
      {:module, Shop},
      {:timeout, 300},
      {:strategy, :dfs},
      :first
    ]

    assert {:ok, options} = gathered([], configured)
    assert options.entry == ["Shop.total/1", "Shop.average/1", ":lists.max/1"]
    assert options.module == ["Elixir.Shop"]
    assert {options.timeout, options.strategy, options.first} == {"300", "dfs", true}
  end

  test "the command line wins, and replaces all functions that are named" do
    configured = [entry: "Shop.total/1", module: "Other", timeout: 1]
    assert gathered(~w(--module Shop), configured) == {:ok, %{module: ["Shop"], timeout: "1"}}
    assert gathered(~w(--timeout 5), timeout: 1) == {:ok, %{timeout: "5"}}
  end

  test "errors say what is wrong" do
    cases = [
      {~w(shop), [], "Unexpected argument shop."},
      {~w(--timeot 3), [], "there is no option --timeot. Did you mean --timeout?"},
      {~w(--timeout soon), [], "timeout must be a number, 0 or more, not \"soon\"."},
      {~w(--entry), [], "--entry has a wrong value, or none."},
      {[], [tiemout: 3], "erlconcolic: in mix.exs: there is no option tiemout."},
      {[], [timeout: -1], "timeout must be a number, 0 or more, not -1."},
      {[], [strategy: :best], "strategy must be coverage, dfs, bfs, random or graph, not :best."},
      {[], [entry: 5], "entry must be a function such as"},
      {[], [{1, 2}], "{1, 2} is not an option."},
      {[], :first, "it must be a list of options, not :first."}
    ]

    for {words, configured, expected} <- cases do
      assert {:error, reason} = gathered(words, configured)
      assert Message.text(reason) =~ expected
    end
  end

  test "each option has help" do
    help = Options.help()
    for {name, _} <- Options.all(), do: assert(help =~ "`#{Options.word(name)}")
  end
end
