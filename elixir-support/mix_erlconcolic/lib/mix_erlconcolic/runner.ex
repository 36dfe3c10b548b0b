defmodule MixErlconcolic.Runner do
  @moduledoc """
  Runs the program. It has the standard output and standard error of Mix, so that it can show
  colours and progress on a terminal.

  Like all ports, the program has its own session, so Ctrl-C on the terminal only reaches Mix.
  Therefore the program stops when the pipe between it and Mix is closed (file descriptor 3),
  however Mix ends.
  """

  @doc "Runs the program with these arguments. Its report goes to a file, if there is one."
  @spec explore(Path.t(), [String.t()], nil | Path.t()) :: :ok | {:error, term}
  def explore(binary, arguments, nil) do
    words = arguments ++ ["--stop-when-closed", "3"]

    with {:ok, status, _nothing} <- run(binary, words, :nouse_stdio) do
      result(status, :printed)
    end
  end

  def explore(binary, arguments, output) do
    words = arguments ++ ["--stop-when-closed", "0"]

    with {:ok, status, report} <- run(binary, words, :use_stdio) do
      keep(output, report, status)
    end
  end

  # Without a report there is nothing to write.
  defp keep(output, report, status) do
    case IO.iodata_length(report) > 0 and write(output, report) do
      {:error, reason} -> {:error, {:no_output, output, reason}}
      _ -> result(status, {:written, output})
    end
  end

  defp write(output, report) do
    with :ok <- output |> Path.dirname() |> File.mkdir_p(), do: File.write(output, report)
  end

  defp run(binary, arguments, channels) do
    options = [:exit_status, :binary, channels, args: arguments]
    wait(Port.open({:spawn_executable, binary}, options), [])
  rescue
    error in ErlangError -> {:error, {:not_started, binary, error.original}}
  end

  defp wait(port, received) do
    receive do
      {^port, {:data, data}} -> wait(port, [received, data])
      {^port, {:exit_status, status}} -> {:ok, status, received}
    end
  end

  defp result(0, _where), do: :ok
  defp result(1, where), do: {:error, {:findings, where}}
  defp result(2, _where), do: {:error, :failed}
  defp result(130, _where), do: {:error, :interrupted}
  defp result(status, _where), do: {:error, {:ended, status}}
end
