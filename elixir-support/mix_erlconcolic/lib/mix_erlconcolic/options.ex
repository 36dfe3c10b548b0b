defmodule MixErlconcolic.Options do
  @moduledoc """
  The options of `mix concolic`, from the command line and from `:erlconcolic` in `mix.exs`: those
  of `erlconcolic explore` and some of its own.
  """

  @typedoc "The kind of value of an option. Options of kind `:texts` and `:functions` can be repeated."
  @type kind :: :flag | :count | :text | {:choice, [atom]} | :function | :texts | :functions

  @typedoc "Values are texts, as on the command line of the program."
  @type t :: %{atom => true | String.t() | [String.t()]}

  # Groups of options: if one of a group is on the command line, the whole group in mix.exs is
  # ignored.
  @together [
    [:entry, :module, :machine, :calls, :all, :app, :args, :pre, :post, :exclude],
    [:quiet, :verbose]
  ]

  @all [
    entry: {:functions, "Explore this function, Mod.fun/arity; can be repeated"},
    module:
      {:texts, "Explore every public function of this module that has a spec; can be repeated"},
    machine:
      {:texts,
       "Explore sequences of events for this module, which is a GenServer or a gen_statem; can be " <>
         "repeated"},
    calls: {:texts, "Explore sequences of calls of this module's functions; can be repeated"},
    app:
      {:texts,
       "Explore every public function with a spec in this application of the project; can be " <>
         "repeated"},
    all:
      {:flag,
       "Explore every public function with a spec in the project; the default without --entry, " <>
         "--module, --machine and --app"},
    exclude: {:texts, "Do not explore the functions of this module; can be repeated"},
    shard: {:text, "Explore only the K-th of N shares of the functions: K/N"},
    args: {:texts, "Start with these arguments, a list such as '[[:a], 3]'; can be repeated"},
    term_depth:
      {:count, "How deep arguments can be nested [4, or as deep as spec and patterns require]"},
    timeout: {:count, "End the search after this many seconds [60]"},
    run_timeout: {:count, "End each run after this many milliseconds [5000]"},
    max_runs: {:count, "End the search after this many runs"},
    length: {:count, "How many events a sequence has at most [4]"},
    events: {:function, "A type of events, Mod.type/0"},
    invariant:
      {:function,
       "Report a finding if this function, called with the state of a machine, returns false"},
    state_of: {:function, "What reports call the state of a machine"},
    dot: {:text, "Write states and transitions of machines to this file, for Graphviz"},
    no_machines: {:flag, "Explore no machines, only functions"},
    schedules:
      {{:choice, [:all, :none]},
       "Which orders of the steps of processes are tried: all or none [all]"},
    max_switches: {:count, "How often another process may go on in an order"},
    max_steps: {:count, "End a run after this many steps of its processes [1000]"},
    delivery: {{:choice, [:instant, :any]}, "When a message arrives: instant or any [instant]"},
    time: {{:choice, [:quiet, :any]}, "When the time of a receive is over: quiet or any [quiet]"},
    strategy:
      {{:choice, [:coverage, :dfs, :bfs, :random, :graph]},
       "How to choose the next input: coverage, dfs, bfs, random or graph [coverage]"},
    paths: {{:choice, [:states, :all]}, "Which paths to run: each state once, or all of them"},
    seed: {:count, "The seed of random choices [0]"},
    workers: {:count, "How many BEAMs run inputs in parallel [1]"},
    on:
      {:text, "Also run inputs on these nodes of `erlconcolic serve`: name@host,name@host:port"},
    cookie_file: {:text, "A file with the cookie of these nodes [~/.erlang.cookie]"},
    tls: {:text, "A file with options for connections by TLS, as for erl -ssl_dist_optfile"},
    first: {:flag, "Stop at the first finding"},
    no_spec: {:flag, "Ignore specs: inputs can be any terms"},
    break_opaque: {:flag, "Make up values of opaque types instead of making them by calls"},
    pre:
      {:function,
       "Use only inputs for which this function, called with the same arguments, returns true"},
    post:
      {:function,
       "Report a finding if this function, called with arguments and result or with the result, " <>
         "returns false"},
    contracts:
      {:flag,
       "Report calls of functions of the input with arguments that are not of the types in their spec"},
    allow: {:functions, "Allow calls of this module or function, although they could do harm"},
    opaque: {:functions, "Do not follow calls into this module, or of this function"},
    deps: {:flag, "Also follow calls into dependencies, and count their clauses"},
    pa: {:texts, "Add a folder with compiled modules"},
    format:
      {{:choice, [:human, :json, :sarif, :junit, :github]},
       "The format of the report: human, json, sarif, junit or github [human]"},
    accept: {:text, "A file with findings that are fine [erlconcolic.accept, if it exists]"},
    skip: {{:choice, [:unlikely]}, "Leave findings with unlikely inputs out"},
    also: {{:choice, [:all]}, "List all other inputs of each finding, not only the 20 smallest"},
    output: {:text, "Write the report to this file instead of printing it"},
    exunit: {:text, "Write the tests to this file as an ExUnit module"},
    eunit: {:text, "Write the tests to this file as an EUnit module"},
    html: {:text, "Write the report to this file as an HTML page"},
    state: {:text, "Save all runs in this folder"},
    resume: {:flag, "Continue the search saved in the folder of --state"},
    quiet: {:flag, "Hide progress"},
    verbose: {:flag, "Show every test, the reason for it, and its result"},
    binary: {:text, "The path of the program erlconcolic [$ERLCONCOLIC, or the one on the PATH]"}
  ]

  @doc "All options, each with its kind and its help."
  @spec all() :: [{atom, {kind, String.t()}}]
  def all, do: @all

  @doc "The options as a list in Markdown."
  @spec help() :: String.t()
  def help do
    Enum.map_join(@all, "\n", fn {name, {kind, help}} ->
      "  * `#{word(name)}#{placeholder(kind)}` - #{help}"
    end)
  end

  defp placeholder(:flag), do: ""
  defp placeholder(:count), do: " N"
  defp placeholder({:choice, _}), do: " WORD"
  defp placeholder(kind) when kind in [:function, :functions], do: " FUNCTION"
  defp placeholder(_), do: " TEXT"

  @doc "An option as on the command line."
  @spec word(atom) :: String.t()
  def word(name), do: "--" <> String.replace(Atom.to_string(name), "_", "-")

  @doc "The options of a command line, and those of mix.exs that they do not replace."
  @spec gather([String.t()], term) :: {:ok, t} | {:error, term}
  def gather(words, configured) do
    with {:ok, given} <- parse(words),
         {:ok, given} <- read(given, :command_line),
         {:ok, configured} <- read(configured, :config) do
      {:ok, merge(given, configured)}
    end
  end

  # Numbers are texts here, so that `--timeout soon` gets a message of ours.
  defp parse(words) do
    switches = for {name, {kind, _}} <- @all, do: {name, switch(kind)}

    case OptionParser.parse(words, strict: switches) do
      {given, [], []} -> {:ok, given}
      {_, _, [{word, nil} | _]} -> {:error, invalid(word)}
      {_, _, [{word, _} | _]} -> {:error, {:command_line, {:no_value, word}}}
      {_, [stray | _], []} -> {:error, {:stray, stray}}
    end
  end

  defp switch(:flag), do: :boolean
  defp switch(kind) when kind in [:texts, :functions], do: [:string, :keep]
  defp switch(_), do: :string

  defp invalid(word) do
    known = Enum.map(@all, fn {name, _} -> word(name) end)

    if word in known do
      {:command_line, {:no_value, word}}
    else
      {:command_line, {:unknown, word, nearest(word, known)}}
    end
  end

  defp merge(given, configured) do
    replaced =
      Enum.flat_map(@together, fn group ->
        if Enum.any?(group, &Map.has_key?(given, &1)), do: group, else: []
      end)

    configured |> Map.drop(replaced) |> Map.merge(given)
  end

  defp read(options, origin) when is_list(options) do
    Enum.reduce_while(options, {:ok, %{}}, fn option, {:ok, read} ->
      case read_one(option) do
        {:ok, name, value} -> {:cont, {:ok, add(read, name, value)}}
        {:error, reason} -> {:halt, {:error, {origin, reason}}}
      end
    end)
  end

  defp read(options, origin), do: {:error, {origin, {:no_list, options}}}

  # Later values are added to earlier ones, or replace them.
  defp add(read, name, false), do: Map.delete(read, name)

  defp add(read, name, values) when is_list(values),
    do: Map.update(read, name, values, &(&1 ++ values))

  defp add(read, name, value), do: Map.put(read, name, value)

  defp read_one({name, value}) when is_atom(name) do
    case @all[name] do
      nil ->
        {:error, {:unknown, name, nearest(Atom.to_string(name), names())}}

      {kind, _help} ->
        case value(kind, value) do
          {:ok, read} -> {:ok, name, read}
          :error -> {:error, {:bad_value, name, kind, value}}
        end
    end
  end

  defp read_one(name) when is_atom(name), do: read_one({name, true})
  defp read_one(other), do: {:error, {:no_option, other}}

  defp names, do: Enum.map(@all, fn {name, _} -> Atom.to_string(name) end)

  defp nearest(word, known), do: Enum.max_by(known, &String.jaro_distance(word, &1))

  defp value(:flag, value) when is_boolean(value), do: {:ok, value}
  defp value(:flag, _), do: :error

  defp value(:count, value) when is_integer(value) and value >= 0 do
    {:ok, Integer.to_string(value)}
  end

  defp value(:count, value) when is_binary(value) do
    if value =~ ~r/\A[0-9]+\z/, do: {:ok, value}, else: :error
  end

  defp value(:count, _), do: :error

  defp value({:choice, words}, value) do
    case Enum.find(words, &(value == &1 or value == Atom.to_string(&1))) do
      nil -> :error
      word -> {:ok, Atom.to_string(word)}
    end
  end

  defp value(:text, value), do: text(value)
  defp value(:function, value), do: function(value)
  defp value(:texts, value), do: several(&text/1, value)
  defp value(:functions, value), do: several(&function/1, value)

  # One value, or a list of them.
  defp several(read, [_ | _] = values) do
    texts = Enum.map(values, read)
    if :error in texts, do: :error, else: {:ok, Enum.map(texts, &elem(&1, 1))}
  end

  defp several(read, value) do
    with {:ok, text} <- read.(value), do: {:ok, [text]}
  end

  defp text(value) when is_boolean(value) or is_nil(value), do: :error
  defp text(value) when is_atom(value), do: {:ok, Atom.to_string(value)}
  defp text(value) when is_binary(value) and value != "", do: {:ok, value}
  defp text(_), do: :error

  # Accepts also `{Shop, :total, 1}` for "Shop.total/1".
  defp function({module, function, arity})
       when is_atom(module) and is_atom(function) and is_integer(arity) do
    {:ok, Exception.format_mfa(module, function, arity)}
  end

  defp function(value), do: text(value)
end
