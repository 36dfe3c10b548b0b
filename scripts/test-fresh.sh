#!/usr/bin/env bash
# Does what the README says on a fresh Debian in a folder: the commands of its
# section "Install", then `make demo` and `make test`. Needs root, debootstrap
# and a network; the machine itself is not changed.
set -euo pipefail

say() { printf 'test-fresh: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

usage() {
    cat <<'USAGE'
usage: scripts/test-fresh.sh [--suite SUITE] [--only-demo] [--keep]

Makes a Debian with nothing installed in a temporary folder ($TMPDIR), copies
this checkout there, and runs the commands of the README in it, as root.
  --suite SUITE   of Debian; default: trixie
  --only-demo     without `make test`, which takes long
  --keep          leave the folder there
DEBIAN_MIRROR is the mirror to use; default: http://deb.debian.org/debian.
Settings for proxies and registries, in the environment and in Cargo's
configuration, hold in there too, and so do this machine's own certificates.
Exit status: 0 passed, 1 something failed, 2 bad usage, or root or debootstrap
is missing.
USAGE
}

refuse() {
    say "$@"
    usage >&2
    exit 2
}

# Sets suite, targets and is_kept.
read_arguments() {
    suite=trixie targets="demo test" is_kept=no
    while (($# > 0)); do
        case $1 in
            -h | --help)
                usage
                exit 0
                ;;
            --suite)
                [[ -n ${2:-} ]] || refuse "--suite needs a name"
                suite=$2
                shift
                ;;
            --only-demo) targets=demo ;;
            --keep) is_kept=yes ;;
            *) refuse "unknown argument: $1" ;;
        esac
        shift
    done
}

check_machine() {
    if [[ $(id -u) != 0 ]]; then
        say "only root can make a system in a folder: sudo make test-fresh"
        exit 2
    fi
    local name lacking=""
    for name in debootstrap unshare chroot git; do
        have "$name" || lacking+=" $name"
    done
    if [[ -n $lacking ]]; then
        say "missing:$lacking (apt-get install debootstrap git)"
        exit 2
    fi
}

# The commands of the README's section "Install".
commands_of_readme() {
    # shellcheck disable=SC2016 # no shell code but marks of code
    sed -n '/^## Install$/,/^## /{/^```sh$/,/^```$/p;}' README.md | sed '/^```/d'
}

# Name resolution, proxies, registries and certificates are this machine's.
copy_settings() {
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump Acquire 2>/dev/null |
        sed -n '/::[Pp]roxy /p' >"$root/etc/apt/apt.conf.d/90proxy"
    if [[ -d /usr/local/share/ca-certificates ]]; then
        cp -RL /usr/local/share/ca-certificates "$root/usr/local/share/"
    fi
    mkdir -p "$root/srv/.cargo"
    local file
    for file in "${CARGO_HOME:-$HOME/.cargo}"/config{,.toml}; do
        [[ ! -f $file ]] || cp "$file" "$root/srv/.cargo/"
    done
}

# What is committed or would be, without build results.
copy_checkout() {
    mkdir "$root/srv/erlconcolic"
    git ls-files -z --cached --others --exclude-standard |
        tar -c --null --ignore-failed-read -T - |
        tar -x --no-same-owner -C "$root/srv/erlconcolic"
}

# The variables of the environment that say how to reach the network.
network_variables() {
    env | sed -nE '/^([a-zA-Z]+_(proxy|PROXY)|CARGO_(HTTP|NET|REGISTR|SOURCE)[A-Z_]*|RUSTUP_(DIST_SERVER|UPDATE_ROOT))=/p'
}

# in_system COMMAND...: in a namespace of its own, so that its mounts vanish.
in_system() {
    local variables
    mapfile -t variables < <(network_variables)
    # shellcheck disable=SC2016 # the inner shell's variables
    unshare --mount bash -euc '
        mount --rbind /dev "$1/dev"
        mount -t proc proc "$1/proc" || mount --rbind /proc "$1/proc"
        exec chroot "$@"' in-system "$root" \
        env -i HOME=/srv TERM=dumb LC_ALL=C.UTF-8 "${variables[@]}" \
        PATH=/srv/.cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c 'cd /srv/erlconcolic && "$@"' inside "$@"
}

# try COMMAND-LINE
try() {
    say "in the fresh $suite: $1"
    in_system bash -euo pipefail -c "$1" || {
        say "failed: $1"
        exit 1
    }
}

remove_system() {
    if [[ $is_kept == yes ]]; then
        say "the system is in $root"
    else
        rm -rf --one-file-system "$root"
    fi
}

main() {
    local command
    read_arguments "$@"
    check_machine
    cd "$(dirname "$0")/.."
    root=$(mktemp -d)
    chmod 755 "$root"
    trap remove_system EXIT
    trap 'exit 130' INT TERM
    say "making a Debian $suite in $root"
    debootstrap --variant=minbase "$suite" "$root" \
        "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >&2
    copy_settings
    copy_checkout
    # Not from a pipe, which the commands would read.
    mapfile -t commands < <(commands_of_readme)
    [[ ${#commands[@]} -gt 0 ]] || {
        say "the README has no commands to install the tool"
        exit 1
    }
    for command in "${commands[@]}"; do try "$command"; done
    for command in $targets; do try "make $command"; done
    say "passed"
}

main "$@"
