#!/usr/bin/env bash
# Tests scripts/setup.sh on machines made of stubs: the PATH is one folder of
# small scripts, and the stubs of apt-get and sudo log their arguments.
set -euo pipefail

setup=$(cd "$(dirname "$0")" && pwd)/setup.sh
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT

bash=$(command -v bash)
failures=0
checks=0

# write_stub FILE BODY
write_stub() {
    printf '#!%s\n%s\n' "$bash" "$2" >"$1"
    chmod +x "$1"
}

# stub NAME [BODY]: puts a command on the machine; without a body it succeeds.
stub() { write_stub "$machine/$1" "${2:-:}"; }

# without NAME...: removes commands from the machine.
without() {
    local name
    for name in "$@"; do rm "$machine/$name"; done
}

# packaged NAME [BODY]: not on the machine until apt-get has installed something.
packaged() {
    rm -f "$machine/$1"
    write_stub "$machine/.packages/$1" "${2:-:}"
}

# new_machine: one with everything, where the user is root.
new_machine() {
    machine=$(mktemp -d "$sandbox/machine.XXXXXX")
    log=$machine/.log
    : >"$log"
    mkdir "$machine/.packages"
    local name
    for name in bash cat env; do
        ln -s "$(command -v "$name")" "$machine/$name"
    done
    for name in cc c++ make pkg-config rebar3 elixir cargo; do
        stub "$name"
    done
    stub erl 'echo otp 27'
    stub rustc 'echo "rustc 1.90.0 (0123456789 2025-09-14)"'
    stub id 'echo 0'
    stub sudo "echo \"sudo \$*\" >>'$log'; \"\$@\""
    stub apt-get "
        echo \"apt-get \$* frontend=\${DEBIAN_FRONTEND:-}\" >>'$log'
        [[ \" \$* \" != *' install '* ]] ||
            '$(command -v cp)' -R '$machine/.packages/.' '$machine'"
}

# offers PACKAGE VERSION...: what apt-cache knows.
offers() {
    local policy=""
    while (($# > 0)); do
        policy+="[[ \$2 != $1 ]] || echo '  Candidate: $2';"
        shift 2
    done
    stub apt-cache "$policy"
}

# without_rust: none is installed; apt-get can install a rustup.
without_rust() {
    without cargo rustc
    packaged rustc "[[ -e '$machine/.toolchain' ]] &&
        echo 'rustc 1.95.0 (0123456789 2026-04-14)'"
    packaged cargo
    packaged rustup "echo \"rustup \$*\" >>'$log'; : >'$machine/.toolchain'"
}

# run_setup ARGUMENT...: sets $output and $status.
run_setup() {
    status=0
    output=$(env -i PATH="$machine" HOME="$machine" \
        "$bash" "$setup" "$@" 2>&1) || status=$?
}

begin() {
    current=$1
    new_machine
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED %s: %s\n--- output (status %s)\n%s\n--- log\n%s\n---\n' \
        "$current" "$1" "$status" "$output" "$(<"$log")" >&2
}

assert() {
    checks=$((checks + 1))
    "${@:2}" || fail "$1"
}

contains() { [[ $1 == *"$2"* ]]; }
lacks() { [[ $1 != *"$2"* ]]; }

assert_status() { assert "expected exit status $1" test "$status" -eq "$1"; }
assert_says() { assert "output lacks '$1'" contains "$output" "$1"; }
assert_silent_on() { assert "output has '$1'" lacks "$output" "$1"; }
assert_log() { assert "log lacks '$1'" contains "$(<"$log")" "$1"; }
assert_log_lacks() { assert "log has '$1'" lacks "$(<"$log")" "$1"; }
assert_no_apt() { assert "apt-get or sudo was called" test ! -s "$log"; }

begin "does nothing when nothing is missing"
run_setup
assert_status 0
assert_says "everything is in place (Erlang/OTP 27)"
assert_no_apt

begin "needs no apt-get when nothing is missing"
without apt-get sudo
run_setup
assert_status 0

begin "installs everything on an empty machine"
for name in cc c++ make pkg-config rebar3 elixir; do packaged "$name"; done
packaged erl 'echo otp 25'
run_setup
assert_status 0
assert_says "Z3 library and headers: the SMT solver [libz3-dev]"
assert_silent_on "[]"
assert_says "everything is in place (Erlang/OTP 25)"
assert_log "-q update frontend=noninteractive"
assert_log "-q -y install --no-install-recommends build-essential make \
pkg-config libz3-dev erlang-nox erlang-dev erlang-src erlang-dialyzer \
erlang-proper rebar3 elixir frontend=noninteractive"
assert_log_lacks "sudo"

begin "installs only what is missing"
packaged rebar3
packaged erl 'echo otp 27'
stub erl 'echo otp 27; echo missing otp-sources'
run_setup
assert_status 0
assert_log "--no-install-recommends erlang-src rebar3 frontend"
assert_silent_on "SMT solver"

begin "does not call apt-get a second time"
packaged rebar3
run_setup
: >"$log"
run_setup
assert_status 0
assert_no_apt

begin "goes through sudo when not root"
packaged rebar3
stub id 'echo 1000'
run_setup
assert_status 0
assert_log "sudo env DEBIAN_FRONTEND=noninteractive"
assert_log "install --no-install-recommends rebar3 frontend=noninteractive"

begin "says what to run as root when there is no sudo"
packaged rebar3
stub id 'echo 1000'
without sudo
run_setup
assert_status 1
assert_says "neither root nor sudo"
assert_says "apt-get install --no-install-recommends rebar3"
assert_no_apt

begin "names the packages where there is no apt-get"
without apt-get make
stub pkg-config 'exit 1'
run_setup
assert_status 1
assert_says "Z3 library and headers"
assert_says "dnf install make z3-devel"
assert_says "pacman -S make z3"
assert_says "apk add make z3-dev"
assert_says "brew install make z3"
assert_silent_on "everything is in place"

begin "installs PropEr when it alone is missing"
packaged erl 'echo otp 27'
stub erl 'echo otp 27; echo missing proper'
run_setup
assert_status 0
assert_log "--no-install-recommends erlang-proper frontend"

begin "says where PropEr is when it has no package"
without apt-get
stub erl 'echo otp 27; echo missing proper'
run_setup
assert_status 1
assert_says "dnf install erlang-proper"
assert_says "https://proper-testing.github.io"
assert_silent_on "pacman -S"

begin "installs nothing with --check"
packaged rebar3
run_setup --check
assert_status 1
assert_says "rebar3: builds and tests the Erlang code"
assert_no_apt

begin "goes on when the package lists cannot be refreshed"
packaged rebar3
stub apt-get "$(sed 1d "$machine/apt-get")
    [[ \" \$* \" != *' update '* ]]"
run_setup
assert_status 0
assert_says "apt-get update failed"

begin "fails when apt-get cannot install"
without rebar3
stub apt-get "exit 100"
run_setup
assert_status 1
assert_says "apt-get could not install: rebar3"
assert_silent_on "still missing"

begin "fails when a requirement is still missing after installing"
without rebar3
run_setup
assert_status 1
assert_says "installed, and still missing"

begin "treats a compiler without headers as missing"
packaged c++
stub c++ 'exit 1'
run_setup
assert_status 0
assert_log "--no-install-recommends build-essential frontend"

begin "refuses an old Erlang without calling apt-get"
stub erl 'echo otp 24'
run_setup
assert_status 1
assert_says "Erlang/OTP 24 at"
assert_says "25 or newer is needed"
assert_no_apt

begin "installs Rust from packages that are new enough"
without_rust
packaged rustc 'echo "rustc 1.97.1 (0123456789 2026-07-14)"'
offers rustc 1.97.1+dfsg1-1 rustup 1.27.1-8+b2
run_setup
assert_status 0
assert_log "--no-install-recommends cargo rustc rustfmt rust-clippy frontend"
assert_log_lacks "rustup default"

begin "installs rustup where the packages of Rust are too old"
without_rust
offers rustc 1.85.1+dfsg1-1+deb13u1 rustup 1.27.1-3+b1
run_setup
assert_status 0
assert_log "-q update"
assert_log "--no-install-recommends rustup ca-certificates frontend"
assert_log "rustup default stable"

begin "fetches a toolchain for a rustup that has none"
without_rust
cp "$machine/.packages/"* "$machine"
run_setup
assert_status 0
assert_log "rustup default stable"
assert_log_lacks "install"

begin "says how to get Rust where no package has it"
without_rust
offers rustc 1.63.0+dfsg1-2 rustup "(none)"
run_setup
assert_status 1
assert_says "Rust 1.88 or newer is missing"
assert_says "https://sh.rustup.rs"
assert_says "after: apt-get install curl ca-certificates"
assert_log_lacks "install"

begin "says how to get Rust with --check, and installs nothing"
without_rust
offers rustc 1.85.1+dfsg1-1 rustup 1.27.1-3
run_setup --check
assert_status 1
assert_says "apt-get install rustup ca-certificates"
assert_says "rustup default stable"
assert_no_apt

begin "says how to get Rust without root and sudo"
without_rust
without sudo
stub id 'echo 1000'
offers rustc 1.97.1+dfsg1-1
run_setup
assert_status 1
assert_says "apt-get install cargo rustc rustfmt rust-clippy"
assert_no_apt

begin "says how to get Rust where there is no apt-get"
without_rust
without apt-get
run_setup
assert_status 1
assert_says "https://sh.rustup.rs"
assert_silent_on "apt-get install"

begin "says so when rustup cannot fetch a toolchain"
without_rust
packaged rustup 'exit 1'
offers rustup 1.27.1-3
run_setup
assert_status 1
assert_says "rustup default stable"

begin "finds cargo outside of PATH"
without cargo rustc
mkdir -p "$machine/.cargo/bin"
write_stub "$machine/.cargo/bin/cargo" :
run_setup
assert_status 1
assert_says ".cargo/bin to PATH"
assert_log_lacks "install"

begin "refuses an old Rust"
stub rustc 'echo "rustc 1.75.0 (82e1608df 2023-12-21)"'
run_setup
assert_status 1
assert_says "Rust 1.75.0 is too old"
assert_says "https://sh.rustup.rs"

begin "says how to update an old Rust"
stub rustc 'echo "rustc 1.75.0 (82e1608df 2023-12-21)"'
stub rustup
run_setup
assert_status 1
assert_says "rustup update stable"
assert_no_apt

begin "installs Elixir when it alone is missing"
packaged elixir
run_setup
assert_status 0
assert_log "--no-install-recommends elixir frontend"

begin "accepts a pre-release of Rust"
stub rustc 'echo "rustc 1.93.0-nightly (0123456789 2025-11-01)"'
run_setup
assert_status 0

begin "rejects unknown arguments"
run_setup --chekc
assert_status 2
assert_says "usage: scripts/setup.sh"
assert_no_apt

if ((failures > 0)); then
    printf 'test-setup: %d of %d checks failed\n' "$failures" "$checks" >&2
    exit 1
fi
printf 'test-setup: %d checks passed\n' "$checks"
