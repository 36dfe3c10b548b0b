#!/usr/bin/env bash
# Tests HTML reports in a real browser: scripts/browser-tests.sh TOOL FOLDER.
# Writes the reports and screenshots of them to the folder. Set CHROMIUM if the
# browser is not on the PATH.
set -euo pipefail

complain() { printf 'browser-tests: %s\n' "$*" >&2; }

[[ $# == 2 ]] || {
    complain "usage: scripts/browser-tests.sh TOOL FOLDER"
    exit 2
}
tool=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/../tests/browser"

for program in node npm; do
    command -v "$program" >/dev/null || {
        complain "$program is missing [nodejs npm]"
        exit 1
    }
done
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
[[ -x $browser ]] || {
    complain "chromium is missing [chromium]"
    exit 1
}
# Install only if the lock file has changed since.
[[ node_modules/.package-lock.json -nt package-lock.json ]] ||
    npm ci --silent --no-audit --no-fund
ERLCONCOLIC=$tool REPORTS=$folder CHROMIUM=$browser node --test --test-reporter=spec
