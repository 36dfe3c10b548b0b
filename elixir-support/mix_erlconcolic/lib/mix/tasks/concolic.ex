defmodule Mix.Tasks.Concolic do
  @shortdoc "Finds inputs that crash your functions"

  @moduledoc """
  Finds inputs that crash the functions of this project, by concolic testing.

  Without `--entry`, `--module` or `--app`, it explores every public function with a `@spec` in the
  project, an umbrella with all its applications. The project is compiled first.

      mix concolic
      mix concolic --entry 'Shop.total/1' --term-depth 3
      mix concolic --module Shop --timeout 300 --workers 4
      mix concolic --app billing
      MIX_ENV=test mix concolic --format json --output report.json

  The program `erlconcolic` does the work. It is the one that `--binary` names, or else the
  environment variable `ERLCONCOLIC`, or else the one on the PATH.

  ## Options

  #{MixErlconcolic.Options.help()}

  They can also be set in `mix.exs`; the command line wins:

      def project do
        [
          app: :shop,
          erlconcolic: [entry: ["Shop.total/1", {Shop, :average, 1}], timeout: 300, first: true]
        ]
      end

  ## Exit status

  0 no findings, 1 findings, 2 the tool could not do its work, 130 the search was interrupted.
  """

  use Mix.Task

  alias MixErlconcolic.{Arguments, Binary, Message, Options, Project, Runner}

  @impl Mix.Task
  def run(words) do
    with {:ok, options} <- Options.gather(words, configured()),
         {:ok, binary} <- Binary.find(options[:binary]),
         :ok <- compile(),
         {:ok, arguments} <- Arguments.make(options, Project.read()) do
      finish(Runner.explore(binary, arguments, options[:output]))
    else
      {:error, reason} -> Mix.raise(Message.text(reason), exit_status: 2)
    end
  end

  defp configured, do: Mix.Project.config()[:erlconcolic] || []

  defp compile do
    Mix.Task.run("compile")
    :ok
  end

  defp finish(:ok), do: :ok

  defp finish({:error, reason}) do
    Mix.shell().error(Message.text(reason))
    exit({:shutdown, Message.status(reason)})
  end
end
