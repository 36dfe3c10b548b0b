#!/usr/bin/env bash
# Packs the tool for users: the binary, completions, manual pages, the plugin
# for rebar3, the task for Mix and the documentation. Prints the path of the archive. Exit status:
# 0, or 2 for bad usage. Written for bash 3.2 and newer.
set -euo pipefail

if [[ $# != 2 || ! -x $1 || -d $1 ]]; then
    echo "usage: scripts/dist.sh BINARY FOLDER" >&2
    exit 2
fi
binary=$1
output=$2
repository=$(cd "$(dirname "$0")/.." && pwd)

version=$("$binary" -V)
version=${version#* }
target=$(rustc -vV | sed -n 's/^host: //p')
name=erlconcolic-$version-$target

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
content=$staging/$name
share=$content/share

mkdir -p "$content/bin" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cp "$binary" "$content/bin/erlconcolic"
chmod 755 "$content/bin/erlconcolic"
"$binary" completions bash >"$share/bash-completion/completions/erlconcolic"
"$binary" completions zsh >"$share/zsh/site-functions/_erlconcolic"
"$binary" completions fish >"$share/fish/vendor_completions.d/erlconcolic.fish"
"$binary" man-pages "$share/man/man1"

cd "$repository"
cp README.md LICENSE CHANGELOG.md CONTRIBUTING.md "$content"
cp -R docs samples "$content"
# The pages that docs/architecture.md links to.
for page in */README.md; do
    mkdir -p "$content/${page%/*}"
    cp "$page" "$content/$page"
done
plugin=erlang-support/apps/rebar3_erlconcolic
if [[ -d $plugin ]]; then
    cp -R "$plugin" "$content"
    rm -rf "$content/rebar3_erlconcolic/_build"
fi
package=elixir-support/mix_erlconcolic
cp -R "$package" "$content"
rm -rf "$content/mix_erlconcolic/_build"
cd "$OLDPWD"

mkdir -p "$output"
# Under another name first, so that an incomplete archive never appears.
tar -C "$staging" -czf "$staging/archive" "$name"
mv "$staging/archive" "$output/$name.tar.gz"
printf '%s\n' "$output/$name.tar.gz"
