defmodule MixErlconcolic.Arguments do
  @moduledoc """
  The arguments of the program: `explore`, the beams of the project, the functions to explore, and
  all other options as they are.
  """

  alias MixErlconcolic.Options

  # Options that only the task uses, or that it passes on in another form.
  @own [:app, :all, :module, :machine, :calls, :entry, :exclude, :deps, :output, :binary, :pa]

  @doc "The arguments for a project."
  @spec make(Options.t(), MixErlconcolic.Project.t()) :: {:ok, [String.t()]} | {:error, term}
  def make(options, project) do
    case {followed(options, project), which(options, project)} do
      {[], _} ->
        {:error, :no_modules}

      {_, {:error, reason}} ->
        {:error, reason}

      {ebins, {:ok, which}} ->
        {:ok, ["explore"] ++ ebins ++ code_paths(options, project) ++ which ++ passed_on(options)}
    end
  end

  # The folders whose modules are instrumented.
  defp followed(%{deps: true}, project),
    do: with_modules(project.applications ++ project.dependencies)

  defp followed(_, project), do: with_modules(project.applications)

  defp with_modules(applications) do
    for %{ebin: ebin, modules: [_ | _]} <- applications, do: ebin
  end

  defp code_paths(options, project) do
    ebins = Enum.map(project.applications ++ project.dependencies, & &1.ebin)
    folders = Map.get(options, :pa, []) ++ project.code_paths ++ ebins
    words("--pa", folders)
  end

  # The functions to explore.
  defp which(options, project) do
    names = Map.get(options, :app, [])
    known = Enum.map(project.applications, & &1.name)

    named =
      words("--entry", Map.get(options, :entry, [])) ++
        words("--module", Map.get(options, :module, [])) ++
        words("--machine", Map.get(options, :machine, [])) ++
        words("--calls", Map.get(options, :calls, []))

    case {Enum.find(names, &(&1 not in known)), names} do
      {nil, []} when named != [] and not is_map_key(options, :all) ->
        {:ok, named ++ excluded(options)}

      {nil, []} ->
        {:ok, named ++ everything(options, project)}

      {nil, names} ->
        chosen = Enum.filter(project.applications, &(&1.name in names))
        {:ok, named ++ modules(chosen, []) ++ excluded(options)}

      {missing, _} ->
        {:error, {:no_application, missing, known}}
    end
  end

  # The program explains why this does not go together.
  defp excluded(options), do: words("--exclude", Map.get(options, :exclude, []))

  # The program's --all means all modules it gets, dependencies included.
  defp everything(%{deps: true} = options, project) do
    modules(project.applications, Map.get(options, :exclude, []))
  end

  defp everything(options, _project), do: ["--all" | excluded(options)]

  defp modules(applications, excluded) do
    is_excluded = &(&1 in excluded or String.replace_prefix(&1, "Elixir.", "") in excluded)

    modules =
      for %{modules: modules} <- applications,
          module <- modules,
          not is_excluded.(module),
          do: module

    words("--module", Enum.map(modules, &quoted/1))
  end

  # In Erlang syntax, because the name of a module may contain quotes.
  defp quoted(module) do
    "~tw" |> :io_lib.format([String.to_atom(module)]) |> List.to_string()
  end

  defp words(option, values), do: Enum.flat_map(values, &word(option, &1))

  # Otherwise a value that begins with a dash would look like an option.
  defp word(option, "-" <> _ = value), do: [option <> "=" <> value]
  defp word(option, value), do: [option, value]

  defp passed_on(options) do
    Enum.flat_map(Options.all(), fn {name, _} ->
      case options do
        %{^name => value} when name not in @own -> argument(name, value)
        _ -> []
      end
    end)
  end

  defp argument(name, true), do: [Options.word(name)]
  defp argument(name, values) when is_list(values), do: words(Options.word(name), values)
  defp argument(name, value), do: word(Options.word(name), value)
end
