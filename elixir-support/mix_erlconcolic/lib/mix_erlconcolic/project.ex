defmodule MixErlconcolic.Project do
  @moduledoc """
  The project as Mix knows it: its applications and dependencies, and where their beams are in the
  current environment.
  """

  @type application :: %{name: String.t(), ebin: Path.t(), modules: [String.t()]}

  @type t :: %{
          applications: [application],
          dependencies: [application],
          code_paths: [Path.t()]
        }

  @doc "Reads the project of the current folder."
  @spec read() :: t
  def read do
    own = own_names()
    others = Map.keys(Mix.Project.deps_paths()) -- [:mix_erlconcolic | own]

    %{
      applications: applications(own),
      dependencies: applications(Enum.sort(others)),
      code_paths: consolidated() ++ elixir_paths()
    }
  end

  defp own_names do
    case Mix.Project.apps_paths() do
      nil -> [Mix.Project.config()[:app]]
      paths -> paths |> Map.keys() |> Enum.sort()
    end
  end

  defp applications(names) do
    for name <- names, ebin = ebin(name), File.dir?(ebin), do: application(name, ebin)
  end

  defp ebin(name) do
    Path.join([Mix.Project.build_path(), "lib", Atom.to_string(name), "ebin"])
  end

  defp application(name, ebin) do
    beams = ebin |> Path.join("*.beam") |> Path.wildcard() |> Enum.sort()

    %{
      name: Atom.to_string(name),
      ebin: Path.relative_to_cwd(ebin),
      modules: Enum.map(beams, &Path.basename(&1, ".beam"))
    }
  end

  # Consolidated protocols know all their implementations.
  defp consolidated do
    pattern = Path.join([Mix.Project.build_path(), "lib", "*", "consolidated"])
    pattern |> Path.wildcard() |> Enum.map(&Path.relative_to_cwd/1)
  end

  # The library of the Elixir that Mix belongs to.
  defp elixir_paths do
    root = :elixir |> :code.lib_dir() |> Path.dirname()

    for name <- ~w(elixir logger eex),
        ebin = Path.join([root, name, "ebin"]),
        File.dir?(ebin),
        do: ebin
  end
end
