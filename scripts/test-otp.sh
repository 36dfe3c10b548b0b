#!/usr/bin/env bash
# Tests scripts/otp.sh without a network: arguments, a release that is there
# already, and that nothing is left of one that could not be made. The stub of
# apt-get logs its arguments and fails where a test wants it to.
set -euo pipefail

otp=$(cd "$(dirname "$0")" && pwd)/otp.sh
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT

bash=$(command -v bash)
failures=0
checks=0

# stub NAME BODY: puts a command on the machine.
stub() {
    printf '#!%s\n%s\n' "$bash" "$2" >"$machine/$1"
    chmod +x "$machine/$1"
}

begin() {
    current=$1
    machine=$(mktemp -d "$sandbox/machine.XXXXXX")
    cache=$machine/cache
    log=$machine/log
    : >"$log"
    local name
    for name in bash dirname cat sed id mkdir mv rm ls ln flock tar; do
        ln -s "$(command -v "$name")" "$machine/$name"
    done
    stub dpkg-deb 'exit 1'
    stub apt-cache ':'
    stub apt-get "echo \"\$*\" >>'$log'; [[ \" \$* \" != *' update '* ]]"
}

# run_otp ARGUMENT...: sets $output, $printed (only stdout) and $status.
run_otp() {
    status=0
    printed=$(env -i PATH="$machine" HOME="$machine" OTP_CACHE="$cache" \
        "$bash" "$otp" "$@" 2>"$machine/errors") || status=$?
    output=$printed$(<"$machine/errors")
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED %s: %s\n--- output (status %s)\n%s\n---\n' \
        "$current" "$1" "$status" "$output" >&2
}

assert() {
    checks=$((checks + 1))
    "${@:2}" || fail "$1"
}

contains() { [[ $1 == *"$2"* ]]; }

assert_status() { assert "expected exit status $1" test "$status" -eq "$1"; }
assert_says() { assert "output lacks '$1'" contains "$output" "$1"; }
assert_no_apt() { assert "apt-get was called" test ! -s "$log"; }
assert_no_release() {
    assert "something is left of a release" test ! -e "$cache/27" \
        -a ! -e "$cache/27.partial"
}

begin "lists the releases it knows"
run_otp --help
assert_status 0
assert_says "usage: scripts/otp.sh RELEASE"
assert_says "25   Debian bookworm"
assert_says "27   Debian trixie"
assert_says "29   Debian sid"

for arguments in "" "17" "27 29" "--releese 27" "27 --cache" "27 --cache="; do
    begin "refuses '$arguments'"
    # shellcheck disable=SC2086 # several arguments
    run_otp $arguments
    assert_status 2
    assert_says "usage: scripts/otp.sh RELEASE"
    assert "nothing goes to stdout" test -z "$printed"
    assert_no_apt
done

begin "says what is wrong with an unknown release"
run_otp 17
assert_says "unknown release: 17"

begin "uses a release that is there"
mkdir -p "$cache/27/bin"
run_otp 27
assert_status 0
assert "prints the folder alone" test "$output" = "$cache/27/bin"
assert_no_apt

begin "takes another cache folder"
mkdir -p "$machine/elsewhere/27/bin"
run_otp 27 --cache "$machine/elsewhere"
assert_status 0
assert_says "$machine/elsewhere/27/bin"

begin "uses the user's cache folder if none is named"
mkdir -p "$machine/.cache/erlconcolic/otp/27/bin"
cache=
run_otp 27
assert_status 0
assert_says "$machine/.cache/erlconcolic/otp/27/bin"

begin "says what a machine lacks"
rm "$machine/apt-get" "$machine/flock"
run_otp 27
assert_status 1
assert_says "needs a Debian or Ubuntu; missing: apt-get flock"
assert_no_release

if [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]]; then
    begin "leaves nothing when the mirror cannot be reached"
    mkdir -p "$cache/27.partial"
    run_otp 27
    assert_status 1
    assert_says "the package lists of trixie could not be fetched"
    assert_no_release

    begin "leaves nothing when packages are missing"
    stub apt-get '[[ " $* " != *" install "* ]]'
    run_otp 27
    assert_status 1
    assert_says "trixie lacks some of: erlang-nox"
    assert_no_release

    begin "leaves nothing when a package is damaged"
    stub apt-get 'case " $* " in
        *" install "*) echo "Inst erlang-base (1)" ;;
        *" download "*) : >erlang-base.deb ;;
    esac'
    run_otp 27
    assert "expected a failure" test "$status" -ne 0
    assert_no_release

    begin "asks apt for the mirror that is named"
    stub apt-get "
        while ((\$# > 0)); do
            [[ \$1 != Dir::Etc::SourceList=* ]] ||
                cat \"\${1#*=}\" >>'$log'
            shift
        done
        exit 1"
    export DEBIAN_MIRROR=http://mirror.example/debian
    status=0
    output=$(env -i PATH="$machine" DEBIAN_MIRROR="$DEBIAN_MIRROR" \
        "$bash" "$otp" 29 --cache "$cache" 2>&1) || status=$?
    assert_status 1
    assert "the list names the mirror and the suite" \
        contains "$(<"$log")" "http://mirror.example/debian sid main"
else
    echo "test-otp: without debian-archive-keyring only arguments are tested"
fi

if ((failures > 0)); then
    printf 'test-otp: %d of %d checks failed\n' "$failures" "$checks" >&2
    exit 1
fi
printf 'test-otp: %d checks passed\n' "$checks"
