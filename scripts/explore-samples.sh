#!/usr/bin/env bash
# Runs the commands in samples/*/expected.json and shows what they print:
# explore-samples.sh TOOL. Whether that is what is expected, tests/tests/samples.rs
# checks.
set -euo pipefail
tool=$(realpath "$1")
cd "$(dirname "$0")/.."

# The samples are explored, whatever is found in them: status 1 is no failure.
erlconcolic() { "$tool" "$@" || [[ $? == 1 ]]; }

sed -n 's/^ *"command": "\(erlconcolic .*\)",$/\1/p' samples/*/expected.json |
    while IFS= read -r command; do
        printf '\n$ %s\n' "$command"
        # The quotes in it are those of a shell.
        eval "$command" </dev/null
    done
