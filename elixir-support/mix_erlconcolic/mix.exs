defmodule MixErlconcolic.MixProject do
  use Mix.Project

  def project do
    [
      app: :mix_erlconcolic,
      version: "0.1.0",
      elixir: "~> 1.14",
      deps: []
    ]
  end

  def application do
    [extra_applications: [:mix]]
  end
end
