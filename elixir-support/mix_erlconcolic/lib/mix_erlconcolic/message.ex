defmodule MixErlconcolic.Message do
  @moduledoc "The texts of errors, with advice."

  @how_to_get_it """
  To get it, either
    - run `cargo install --locked --path cli` in the repository of erlconcolic, or
    - unpack the archive that `make dist` makes there, and put its folder bin/ on the PATH.
  Or set its path with --binary PATH, with binary: "PATH" under erlconcolic: in mix.exs, or with \
  the environment variable ERLCONCOLIC.\
  """

  @doc "The exit status that goes with an error."
  @spec status(term) :: pos_integer
  def status({:findings, _}), do: 1
  def status(:interrupted), do: 130
  def status(_), do: 2

  @doc "An error in words."
  @spec text(term) :: String.t()
  def text({:findings, :printed}), do: "There are findings: see the report above."
  def text({:findings, {:written, file}}), do: "There are findings: see #{file}."
  def text(:failed), do: "erlconcolic could not do its work: see the message above."
  def text(:interrupted), do: "The search was interrupted."

  def text({:ended, status}) do
    "erlconcolic ended with the unexpected status #{status}. " <>
      "`erlconcolic doctor` checks its requirements."
  end

  def text({:no_output, file, reason}) do
    "Cannot write the report to #{file}: #{:file.format_error(reason)}."
  end

  def text({:not_started, path, reason}) do
    "Cannot start #{path}: #{:file.format_error(reason)}. #{@how_to_get_it}"
  end

  def text(:no_binary), do: "The program erlconcolic is not on the PATH. #{@how_to_get_it}"

  def text({:no_binary, path, origin}) do
    "There is no program #{path}, but #{origin(origin)} names it. #{@how_to_get_it}"
  end

  def text(:no_modules), do: "The project has no modules, so there is nothing to explore."

  def text({:no_application, name, known}) do
    "--app #{name}: the project has no such application, only #{Enum.join(known, ", ")}."
  end

  def text({:stray, word}) do
    "Unexpected argument #{word}. To name a function, use --entry, for example " <>
      "--entry 'Shop.total/1'."
  end

  def text({origin, reason}), do: "#{origin(origin)}: #{option_text(reason)}"

  defp origin(:command_line), do: "The command line"
  defp origin(:config), do: "erlconcolic: in mix.exs"
  defp origin(:option), do: "the option `binary`"
  defp origin(:environment), do: "the environment variable ERLCONCOLIC"

  defp option_text({:no_list, options}) do
    "it must be a list of options, not #{inspect(options)}."
  end

  defp option_text({:no_value, word}), do: "#{word} has a wrong value, or none."

  defp option_text({:unknown, name, nearest}) do
    "there is no option #{name}. Did you mean #{nearest}? `mix help concolic` lists all options."
  end

  defp option_text({:no_option, term}) do
    "#{inspect(term)} is not an option. Options look like term_depth: 3 or first: true."
  end

  defp option_text({:bad_value, name, kind, value}) do
    "#{name} must be #{kind(kind)}, not #{inspect(value)}."
  end

  defp kind(:flag), do: "true or false"
  defp kind(:count), do: "a number, 0 or more"
  defp kind(:text), do: "a text"
  defp kind(:texts), do: "a text or a list of texts"
  defp kind(:function), do: "a function such as \"Shop.total/1\""
  defp kind(:functions), do: "a function such as \"Shop.total/1\", or a list of them"

  defp kind({:choice, words}) do
    {others, [last]} = Enum.split(words, -1)
    Enum.join(Enum.reject([Enum.join(others, ", "), "#{last}"], &(&1 == "")), " or ")
  end
end
