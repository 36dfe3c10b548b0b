defmodule MixErlconcolic.RunnerTest do
  use ExUnit.Case, async: false

  alias MixErlconcolic.{Binary, Message, Runner}

  @moduletag :tmp_dir

  defp program(folder, script) do
    path = Path.join(folder, "erlconcolic")
    File.write!(path, "#!/bin/sh\n#{script}\n")
    File.chmod!(path, 0o755)
    path
  end

  test "the status of the program is passed on", %{tmp_dir: folder} do
    for {status, expected} <- [
          {0, :ok},
          {1, {:error, {:findings, :printed}}},
          {2, {:error, :failed}},
          {130, {:error, :interrupted}},
          {7, {:error, {:ended, 7}}}
        ] do
      assert Runner.explore(program(folder, "exit #{status}"), [], nil) == expected
    end
  end

  test "the report goes to a file", %{tmp_dir: folder} do
    output = Path.join(folder, "out/report.txt")
    program = program(folder, "echo \"report of $*\"; exit 1")

    assert {:error, {:findings, {:written, ^output}} = reason} =
             Runner.explore(program, ["x"], output)

    assert File.read!(output) == "report of x --stop-when-closed 0\n"
    assert Message.status(reason) == 1
  end

  test "the program is found by its path or by the environment", %{tmp_dir: folder} do
    path = program(folder, "exit 0")
    missing = Path.join(folder, "missing")
    assert Binary.find(path) == {:ok, path}
    assert Binary.find(missing) == {:error, {:no_binary, missing, :option}}
    before = System.get_env("ERLCONCOLIC")
    System.put_env("ERLCONCOLIC", path)
    assert Binary.find(nil) == {:ok, path}
    if before, do: System.put_env("ERLCONCOLIC", before), else: System.delete_env("ERLCONCOLIC")
  end
end
