#!/usr/bin/env bash
# Installs what this machine lacks to build, run and test erlconcolic. It checks
# each requirement by using it, not by package name, so it does not matter who
# installed it. Written for bash 3.2 and newer.
set -euo pipefail

readonly minimum_otp=25
readonly minimum_rust=1.88

# requirement|what it is for|apt|dnf|pacman|apk|brew
readonly requirements="\
compiler|C and C++ compilers: linking, crates with C code|build-essential|gcc gcc-c++|base-devel|build-base|gcc
make|make: runs the targets of the Makefile|make|make|make|make|make
pkg-config|pkg-config: finds the Z3 library|pkg-config|pkgconf-pkg-config|pkgconf|pkgconf|pkgconf
z3|Z3 library and headers: the SMT solver|libz3-dev|z3-devel|z3|z3-dev|z3
erlang|Erlang/OTP $minimum_otp or newer: runs the programs under test|erlang-nox|erlang|erlang|erlang|erlang
otp-tools|eunit, xref, syntax_tools, parsetools, xmerl: tests and checks of the Erlang code|erlang-nox|erlang|erlang|erlang|erlang
otp-headers|OTP's header files: compiling OTP modules and EUnit tests|erlang-dev|erlang|erlang|erlang-dev|erlang
otp-sources|OTP's own sources: the modules that the tests compile|erlang-src|erlang|erlang|erlang-dev|erlang
dialyzer|Dialyzer: type checks of the Erlang code|erlang-dialyzer|erlang|erlang|erlang-dialyzer|erlang
proper|PropEr: property tests of Erlang code|erlang-proper|erlang-proper|||
rebar3|rebar3: builds and tests the Erlang code|rebar3|erlang-rebar3|rebar3|rebar3|rebar3
elixir|Elixir: tests on programs in Elixir|elixir|elixir|elixir|elixir|elixir"

# Rust with what the checks use. Rustup fetches a toolchain by HTTPS.
readonly rust_packages="cargo rustc rustfmt rust-clippy"
readonly rustup_packages="rustup ca-certificates"

say() { printf 'setup: %s\n' "$*"; }
complain() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

readonly wait_for_lock=(-o DPkg::Lock::Timeout=300)

usage() {
    cat <<'USAGE'
usage: scripts/setup.sh [--check]

Installs what is missing to build, run and test erlconcolic: compilers, make,
pkg-config, Z3, Erlang/OTP with sources and headers, Dialyzer, PropEr, rebar3,
Elixir. Rust comes from the packages of Debian or Ubuntu, or else from their
rustup; where they have neither, it says how to get Rust.
  --check   only list what is missing, install nothing
Exit status: 0 everything is there, 1 something is missing, 2 bad usage.
USAGE
}

# Debian splits OTP into many packages, and the one with the sources creates
# folders of applications that are not installed. So look for modules and files.
readonly otp_probe='
    Module = fun(M) -> code:which(M) =/= non_existing end,
    File = fun({App, Path}) ->
        case code:lib_dir(App) of
            {error, _} -> false;
            Dir -> filelib:is_regular(filename:join(Dir, Path))
        end
    end,
    Need = fun(Name, Present) ->
        Present orelse io:format("missing ~s~n", [Name])
    end,
    io:format("otp ~s~n", [erlang:system_info(otp_release)]),
    Need("otp-tools", lists:all(Module,
        [compile, eunit, xref, erl_syntax, yecc, leex, xmerl])),
    Need("dialyzer", Module(dialyzer)),
    Need("proper", Module(proper)),
    Need("otp-headers", lists:all(File,
        [{kernel, "include/file.hrl"}, {eunit, "include/eunit.hrl"},
         {parsetools, "include/yeccpre.hrl"}])),
    Need("otp-sources", lists:all(File,
        [{stdlib, "src/lists.erl"}, {kernel, "src/file.erl"},
         {compiler, "src/core_parse.hrl"}, {compiler, "src/v3_core.erl"},
         {syntax_tools, "src/erl_syntax.erl"}, {parsetools, "src/yecc.erl"}])),
    halt().
'

has_compiler() {
    have cc && have c++ &&
        c++ -x c++ -fsyntax-only - >/dev/null 2>&1 <<<'#include <cstdlib>'
}

# Prints the number of the OTP release if there is one, then the OTP requirements
# that are not met, one per line: "otp 25", "missing dialyzer".
probe_otp() {
    have erl && ERL_CRASH_DUMP=/dev/null \
        erl -noinput -boot no_dot_erlang -eval "$otp_probe" 2>/dev/null
}

# Sets otp_release, and missing: the names of the requirements that are not met.
look_around() {
    local kind value probe
    missing="" otp_release=""
    has_compiler || missing+=" compiler"
    have make || missing+=" make"
    have pkg-config || missing+=" pkg-config"
    { have pkg-config && pkg-config --exists z3; } || missing+=" z3"
    if probe=$(probe_otp); then
        while read -r kind value; do
            case $kind in
                otp) otp_release=$value ;;
                missing) missing+=" $value" ;;
            esac
        done <<<"$probe"
    fi
    [[ -n $otp_release ]] ||
        missing+=" erlang otp-tools otp-headers otp-sources dialyzer proper"
    have rebar3 || missing+=" rebar3"
    have elixir || missing+=" elixir"
}

# packages COLUMN: the packages of the missing requirements, each once.
packages() {
    local column=$1 name purpose names="" package
    local apt dnf pacman apk brew
    # shellcheck disable=SC2034 # one of the columns is read, by its name
    while IFS='|' read -r name purpose apt dnf pacman apk brew; do
        [[ " $missing " == *" $name "* ]] || continue
        for package in ${!column}; do
            [[ " $names " == *" $package "* ]] || names+=" $package"
        done
    done <<<"$requirements"
    printf '%s' "${names# }"
}

list_missing() {
    local name purpose apt rest
    while IFS='|' read -r name purpose apt rest; do
        [[ " $missing " == *" $name "* ]] || continue
        if have apt-get; then
            say "  $purpose [$apt]"
        else
            say "  $purpose"
        fi
    done <<<"$requirements"
}

advise_by_hand() {
    complain "there is no apt-get; please install by hand (names as far as known):"
    local system command column names
    while IFS='|' read -r system command column; do
        names=$(packages "$column")
        [[ -z $names ]] || complain "  $system  $command $names"
    done <<'SYSTEMS'
Fedora  |dnf install|dnf
Arch    |pacman -S|pacman
Alpine  |apk add|apk
Homebrew|brew install|brew
SYSTEMS
    complain "  others    $(packages apt)   (Debian's names)"
    if [[ " $missing " == *" proper "* ]]; then
        complain "Where PropEr has no package, see https://proper-testing.github.io"
    fi
    complain "Where OTP comes without its sources, build it with kerl or asdf."
}

# as_root COMMAND...: runs it as root, with the variables that keep apt quiet.
as_root() {
    local quiet=(env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1)
    if [[ $(id -u) == 0 ]]; then
        "${quiet[@]}" "$@"
    else
        sudo "${quiet[@]}" "$@"
    fi
}

can_install() { [[ $(id -u) == 0 ]] || have sudo; }

# Once is enough.
refresh_package_lists() {
    [[ -z ${are_lists_fresh:-} ]] || return 0
    are_lists_fresh=yes
    as_root apt-get "${wait_for_lock[@]}" -q update ||
        complain "apt-get update failed; trying with the old package lists"
}

# install_by_apt PACKAGE...
install_by_apt() {
    if ! can_install; then
        complain "neither root nor sudo, so nothing was installed; as root run"
        complain "  apt-get install --no-install-recommends $*"
        return 1
    fi
    say "installing with apt-get: $*"
    refresh_package_lists
    as_root apt-get "${wait_for_lock[@]}" -q -y install \
        --no-install-recommends "$@" || {
        complain "apt-get could not install: $*"
        complain "(on Ubuntu they are in 'universe': add-apt-repository universe)"
        return 1
    }
}

install_missing() {
    local names
    say "missing:"
    list_missing
    if [[ $mode == check ]]; then
        return 1
    fi
    if ! have apt-get; then
        advise_by_hand
        return 1
    fi
    read -r -a names <<<"$(packages apt)"
    install_by_apt "${names[@]}" || return 1
    hash -r
    look_around
    if [[ -n $missing ]]; then
        complain "installed, and still missing:"
        list_missing >&2
        complain "erl on PATH is $(command -v erl || echo none)"
        return 1
    fi
}

check_otp_release() {
    # A missing Erlang has been reported already.
    [[ -n $otp_release ]] || return 0
    # Before 17, releases had names like R16B03.
    if [[ $otp_release == R* ]] || ((otp_release < minimum_otp)); then
        complain "Erlang/OTP $otp_release at $(command -v erl) is too old:" \
            "$minimum_otp or newer is needed."
        complain "Debian 12 and Ubuntu 24.04 have it; else use kerl, asdf or" \
            "the packages of https://www.erlang.org/downloads"
        return 1
    fi
}

# Prints the version of Rust, or nothing. A rustup without a toolchain has
# programs that fail.
rust_version() {
    local version=""
    if have cargo && have rustc; then
        version=$(rustc --version 2>/dev/null) || version=""
        version=${version#rustc }
    fi
    printf '%s' "${version%%[ -]*}"
}

# candidate PACKAGE: prints the version that apt would install, or nothing.
candidate() {
    local line
    have apt-cache || return 0
    while read -r line; do
        case $line in
            "Candidate: (none)") ;;
            "Candidate: "*) line=${line#*: } && printf '%s' "${line#*:}" ;;
        esac
    done <<<"$(apt-cache policy "$1" 2>/dev/null)"
}

# Where Rust comes from on this machine: a toolchain for the rustup that is here,
# packages with Rust, a package with rustup, or the script of rustup.rs.
rust_source() {
    local packaged
    packaged=$(candidate rustc)
    if have rustup; then
        echo toolchain
    elif [[ -n $packaged ]] && at_least "$packaged" "$minimum_rust"; then
        echo packages
    elif [[ -n $(candidate rustup) ]]; then
        echo rustup
    else
        echo script
    fi
}

# advise_rust SOURCE
advise_rust() {
    complain "Install it with"
    case $1 in
        toolchain) complain "  rustup default stable" ;;
        packages) complain "  apt-get install $rust_packages" ;;
        rustup)
            complain "  apt-get install $rustup_packages"
            complain "  rustup default stable"
            ;;
        script)
            complain "  curl --proto '=https' --tlsv1.2 -sSf" \
                "https://sh.rustup.rs | sh"
            have curl || ! have apt-get ||
                complain "after: apt-get install curl ca-certificates"
            ;;
    esac
    if [[ -x ${CARGO_HOME:-${HOME:-}/.cargo}/bin/cargo ]]; then
        complain "or add ${CARGO_HOME:-$HOME/.cargo}/bin to PATH: cargo is there"
    fi
}

# install_rust SOURCE: fails where that cannot be done here.
install_rust() {
    local names
    case $1 in
        toolchain) rustup default stable ;;
        packages)
            read -r -a names <<<"$rust_packages"
            install_by_apt "${names[@]}"
            ;;
        rustup)
            read -r -a names <<<"$rustup_packages"
            install_by_apt "${names[@]}" && hash -r && rustup default stable
            ;;
        script) return 1 ;;
    esac
}

get_rust() {
    local source
    if [[ $mode == install ]] && have apt-get && can_install; then
        refresh_package_lists
    fi
    source=$(rust_source)
    if [[ $mode == install && $source != script ]] &&
        [[ ! -x ${CARGO_HOME:-${HOME:-}/.cargo}/bin/cargo ]]; then
        say "Rust is missing"
        install_rust "$source" && hash -r && [[ -n $(rust_version) ]] &&
            return 0
    fi
    complain "Rust $minimum_rust or newer is missing."
    advise_rust "$source"
    return 1
}

check_rust() {
    local version
    [[ -n $(rust_version) ]] || get_rust || return 1
    version=$(rust_version)
    if ! at_least "$version" "$minimum_rust"; then
        complain "Rust $version is too old: $minimum_rust or newer is needed."
        if have rustup; then
            complain "Try: rustup update stable"
        else
            advise_rust "$(rust_source)"
        fi
        return 1
    fi
}

# at_least VERSION MINIMUM: compares major and minor numbers.
at_least() {
    local major minor wanted_major wanted_minor _
    IFS=. read -r major minor _ <<<"$1"
    IFS=. read -r wanted_major wanted_minor _ <<<"$2"
    ((major > wanted_major ||
        (major == wanted_major && minor >= wanted_minor)))
}

main() {
    mode=install
    case $# in
        0) ;;
        1)
            case $1 in
                --check) mode=check ;;
                -h | --help) usage && return 0 ;;
                *) usage >&2 && return 2 ;;
            esac
            ;;
        *) usage >&2 && return 2 ;;
    esac

    local failed=0
    look_around
    [[ -z $missing ]] || install_missing || failed=1
    check_otp_release || failed=1
    check_rust || failed=1
    if ((failed)); then
        return 1
    fi
    say "everything is in place (Erlang/OTP $otp_release)"
}

main "$@"
