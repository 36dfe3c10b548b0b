#!/usr/bin/env bash
# Looks at HTML reports in a real browser: scripts/browser-tests.sh TOOL FOLDER.
# The folder gets the reports and screenshots of them. CHROMIUM names the browser
# if it is not found by itself.
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
# Only when the lock file has changed since.
[[ node_modules/.package-lock.json -nt package-lock.json ]] ||
    npm ci --silent --no-audit --no-fund
ERLCONCOLIC=$tool REPORTS=$folder CHROMIUM=$browser node --test --test-reporter=spec
