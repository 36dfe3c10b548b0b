#!/usr/bin/env bash
# Makes a folder with another release of Erlang/OTP, its Elixir and its rebar3,
# from the packages of Debian. Works without root and beside any other release:
# the programs use the libraries in the folder. Written for bash 3.2 and newer.
set -euo pipefail

# release suite
readonly releases="\
25 bookworm
27 trixie
29 sid"

# What the folder has, and what needs libraries to run. Their dependencies are
# added: Erlang's for the former, libraries for the latter (those for windows are
# large, and no test opens one). Patchelf points the programs to the folder;
# Erlang loads the library for SCTP itself and warns if it is missing.
readonly packages="erlang-nox erlang-src erlang-dev erlang-dialyzer \
erlang-proper elixir rebar3"
readonly running="erlang-base erlang-crypto libsctp1 patchelf"

# The names that the folder has on the PATH.
readonly programs="erl erlc escript epmd dialyzer typer ct_run run_erl to_erl
elixir elixirc iex mix rebar3"

say() { printf 'otp: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

give_up() {
    say "$@"
    exit 1
}

usage() {
    cat <<USAGE
usage: scripts/otp.sh RELEASE [--cache FOLDER]

Makes a folder with another release of Erlang/OTP, with its sources, headers,
Dialyzer, PropEr, rebar3 and Elixir, from the packages of Debian. It installs
nothing and needs no root. Prints the folder to put on the PATH:
  PATH="\$(scripts/otp.sh 27):\$PATH" erl

Releases, and where they are from:
$(while read -r release suite; do
        printf '  %s   Debian %s\n' "$release" "$suite"
    done <<<"$releases")

  --cache FOLDER   keep the releases there; default: \$OTP_CACHE, or
                   erlconcolic/otp in \$XDG_CACHE_HOME or ~/.cache
DEBIAN_MIRROR is the mirror to use; default: that of this machine's apt, or
http://deb.debian.org/debian. A release that is there already is used as it is;
remove its folder to make it again.
Exit status: 0 done, 1 the release could not be made, 2 bad usage.
USAGE
}

refuse() {
    say "$@"
    usage >&2
    exit 2
}

# suite_of RELEASE: prints the suite that has it, or nothing.
suite_of() {
    local release suite
    while read -r release suite; do
        [[ $release != "$1" ]] || printf '%s' "$suite"
    done <<<"$releases"
}

default_cache() {
    if [[ -n ${OTP_CACHE:-} ]]; then
        printf '%s' "$OTP_CACHE"
    elif [[ -n ${XDG_CACHE_HOME:-${HOME:-}} ]]; then
        printf '%s' "${XDG_CACHE_HOME:-$HOME/.cache}/erlconcolic/otp"
    else
        printf '%s' "$repository/target/otp"
    fi
}

# Sets wanted and cache.
read_arguments() {
    wanted="" cache=$(default_cache)
    while (($# > 0)); do
        case $1 in
            -h | --help)
                usage
                exit 0
                ;;
            --cache)
                [[ -n ${2:-} ]] || refuse "--cache needs a folder"
                cache=$2
                shift
                ;;
            --cache=?*) cache=${1#--cache=} ;;
            -*) refuse "unknown option: $1" ;;
            *)
                [[ -z $wanted ]] || refuse "more than one release: $wanted, $1"
                wanted=$1
                ;;
        esac
        shift
    done
    [[ -n $wanted ]] || refuse "which release?"
    [[ -n $(suite_of "$wanted") ]] || refuse "unknown release: $wanted"
}

check_programs() {
    local name lacking=""
    for name in apt-get apt-cache dpkg-deb tar flock; do
        have "$name" || lacking+=" $name"
    done
    [[ -z $lacking ]] ||
        give_up "this needs a Debian or Ubuntu; missing:$lacking"
}

mirror() {
    local found="${DEBIAN_MIRROR:-}"
    # shellcheck disable=SC2016 # apt-get's own variable
    [[ -n $found ]] || found=$(apt-get indextargets --format '$(REPO_URI)' \
        'Created-By: Packages' | sed -n '\|/debian/*$|{p;q;}') || found=""
    printf '%s' "${found:-http://deb.debian.org/debian}"
}

keyring() {
    local file
    for file in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        if [[ -r $file ]]; then
            printf '%s' "$file"
            return
        fi
    done
    give_up "the keys of Debian are missing:" \
        "apt-get install debian-archive-keyring"
}

# Sets apt_options: package lists, status and cache in a folder of their own, so
# that neither root nor this machine's packages matter.
prepare_apt() {
    local suite=$1 apt=$2 keys
    keys=$(keyring)
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
    : >"$apt/status"
    printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$(mirror)" "$suite" \
        >"$apt/sources.list"
    apt_options=(-qq
        -o "Dir::Etc::SourceList=$apt/sources.list"
        -o "Dir::Etc::SourceParts=/dev/null"
        -o "Dir::State::Lists=$apt/lists"
        -o "Dir::State::Status=$apt/status"
        -o "Dir::Cache=$apt/cache"
        -o "APT::Sandbox::User=$(id -un)"
        -o "APT::Install-Recommends=false"
        -o "Acquire::Languages=none"
        -o "Debug::NoLocking=true")
}

# closure PATTERN PACKAGE...: those of the packages, and of all that they depend
# on, whose name begins with the pattern.
closure() {
    apt-get "${apt_options[@]}" --simulate install "${@:2}" |
        sed -nE "s/^Inst (($1)[^ ]*) .*/\1/p"
}

all_packages() {
    # shellcheck disable=SC2086 # lists of words
    closure 'erlang|elixir|rebar3' $packages &&
        closure 'lib|zlib|patchelf' $running
}

# download SUITE APT-FOLDER
download() {
    local names
    prepare_apt "$@"
    apt-get "${apt_options[@]}" update >&2 ||
        give_up "the package lists of $1 could not be fetched from $(mirror)"
    names=$(all_packages) || give_up "$1 lacks some of: $packages $running"
    # shellcheck disable=SC2086 # a list of words
    (cd "$2/debs" && apt-get "${apt_options[@]}" download $names >&2) ||
        give_up "not all packages could be fetched from $(mirror)"
}

# unpack DEBS ROOT: older packages have files in /lib, newer ones in /usr/lib.
unpack() {
    local deb folder
    mkdir -p "$2/usr/lib" "$2/usr/lib64"
    for folder in lib lib64; do ln -s "usr/$folder" "$2/$folder"; done
    for deb in "$1"/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" |
            tar -x -C "$2" --keep-directory-symlink --no-same-owner \
                --exclude='./usr/share/*' --exclude='./var/*' \
                --exclude='./usr/lib/*/gconv/*' --exclude='*/perl*/*'
    done
}

is_program() {
    [[ -f $1 && ! -L $1 && $(head -c 4 "$1" | tr -d '\0') == $'\x7fELF' ]]
}

# use_own_libraries ROOT FINAL-ROOT: programs below ROOT use the loader and the
# libraries below FINAL-ROOT, where the folder will be.
use_own_libraries() {
    local root=$1 final=$2 libraries loader file interpreter
    libraries=$(cd "$root" && echo usr/lib/*-linux-gnu*)
    loader=$(find "$root/$libraries" -name 'ld-linux*.so*' -o -name 'ld64.so*' |
        head -n 1)
    patch() {
        "$loader" --library-path "$root/$libraries" "$root/usr/bin/patchelf" "$@"
    }
    while IFS= read -r -d '' file; do
        is_program "$file" || continue
        interpreter=$(patch --print-interpreter "$file" 2>/dev/null) ||
            interpreter=""
        patch --set-rpath "$final/$libraries" "$file"
        [[ -z $interpreter ]] || patch --set-interpreter \
            "$final/$libraries/${loader##*/}" "$file"
    done < <(find "$root/usr/lib/erlang" -type f \
        \( -perm -u+x -o -name '*.so' \) -print0)
}

# place ROOT FINAL-ROOT: the scripts of Erlang name the folder they are in.
place() {
    local script erlang=usr/lib/erlang
    for script in "$1/$erlang"/bin/* "$1/$erlang"/erts-*/bin/*; do
        if [[ -f $script && ! -L $script ]] && ! is_program "$script"; then
            sed -i "s|/usr/lib/erlang|$2/usr/lib/erlang|g" "$script"
        fi
    done
}

# link_programs FOLDER: makes FOLDER/bin.
link_programs() {
    local name found
    mkdir "$1/bin"
    for name in $programs; do
        for found in lib/erlang/bin lib/elixir/bin bin; do
            [[ -e $1/root/usr/$found/$name ]] || continue
            ln -s "../root/usr/$found/$name" "$1/bin/$name"
            break
        done
    done
}

# make_release SUITE PARTIAL FINAL: everything happens in PARTIAL.
make_release() {
    local suite=$1 partial=$2 final=$3
    say "making Erlang/OTP $wanted from Debian $suite in $final"
    download "$suite" "$partial/apt"
    unpack "$partial/apt/debs" "$partial/root"
    [[ -d $partial/root/usr/lib/erlang/releases/$wanted ]] ||
        give_up "Debian $suite has another release now:" \
            "$(ls "$partial/root/usr/lib/erlang/releases")"
    use_own_libraries "$partial/root" "$final/root"
    place "$partial/root" "$final/root"
    link_programs "$partial"
    rm -rf "$partial/apt"
}

# Other calls of this script wait; what a killed one has left is removed.
make_once() {
    local final=$1 partial=$1.partial
    exec 9>"$final.lock"
    flock 9
    [[ ! -d $final ]] || return 0
    rm -rf "$partial"
    # shellcheck disable=SC2064 # the name is known now
    trap "rm -rf '$partial'" EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mkdir "$partial"
    make_release "$(suite_of "$wanted")" "$partial" "$final"
    mv "$partial" "$final"
}

main() {
    repository=$(cd "$(dirname "$0")/.." && pwd)
    read_arguments "$@"
    if [[ ! -d $cache/$wanted ]]; then
        check_programs
        mkdir -p "$cache"
        cache=$(cd "$cache" && pwd)
        make_once "$cache/$wanted"
    fi
    printf '%s\n' "$(cd "$cache/$wanted/bin" && pwd)"
}

main "$@"
