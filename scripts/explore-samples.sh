#!/usr/bin/env bash
# Runs the commands in the files expected.json of samples/ and shows their output:
# explore-samples.sh TOOL. tests/tests/samples.rs checks that output.
set -euo pipefail
tool=$(realpath "$1")
cd "$(dirname "$0")/.."

# Status 1 means findings, which is not a failure here.
erlconcolic() { "$tool" "$@" || [[ $? == 1 ]]; }

sed -n 's/^ *"command": "\(erlconcolic .*\)",$/\1/p' samples/*/expected.json \
    samples/processes/*/expected.json samples/calls/*/expected.json |
    while IFS= read -r command; do
        printf '\n$ %s\n' "$command"
        # The quotes in the command are for a shell.
        eval "$command" </dev/null
    done
