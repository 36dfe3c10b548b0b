#!/usr/bin/env bash
# Checks the rules of CONTRIBUTING.md that no compiler checks. Prints each
# violation as file:line: message; exit status 1 if there is any.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

# All files of the project, new ones included, except those that git ignores.
# Without git, as in an unpacked archive: all but the folders that builds make.
project_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -name .git -prune -o -name target -prune -o -name _build -prune \
            -o -type f -print | sed 's|^\./||'
    fi | while IFS= read -r file; do
        # A tracked file may have been deleted since.
        [[ ! -f $file || -L $file ]] || printf '%s\n' "$file"
    done | sort
}

# for_each_file COMMAND...: calls it with the files named on stdin, if any.
for_each_file() {
    local file files=()
    while IFS= read -r file; do files+=("$file"); done
    ((${#files[@]} == 0)) || "$@" "${files[@]}"
}

# Works on code with comments, strings, characters and quoted atoms blanked.
check_erlang() {
    awk '
    function report(message) { print FILENAME ":" FNR ": " message }

    # The line without comments and the contents of quotes; `quote` is the
    # quotation mark that the previous line left open.
    function code_of(line,    i, c, out) {
        out = ""
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (quote != "") {
                if (c == "\\") i++
                else if (c == quote) { quote = ""; out = out c }
            } else if (c == "%") break
            else if (c == "\"" || c == "\047") { quote = c; out = out c }
            else if (c == "$") {
                i++
                if (substr(line, i, 1) == "\\") i++
                out = out "$"
            } else out = out c
        }
        return out
    }

    FNR == 1 { quote = ""; exports = 0; exporting = 0 }

    /\t/ { report("tab character") }

    {
        line = $0
        gsub(/[\200-\277]/, "", line) # one UTF-8 character, one column
        if (length(line) > 80) report("longer than 80 columns")

        code = code_of($0)
        # Cases use every construct on purpose.
        if (FILENAME !~ /corner_cases\.erl$|^tests\/cases\// &&
            code ~ /(^|[^A-Za-z0-9_@.\047-])if([^A-Za-z0-9_@\047]|$)/)
            report("`if` expression, use `case`")

        if (code ~ /^[ ]*-[ ]*export[ ]*\(/) exporting = 1
        if (exporting) {
            before = exports
            exports += gsub(/\//, "/", code)
            # Models export what the modules export that they stand for.
            if (FILENAME !~ /^erlang-support\/models\// && before <= 20 && exports > 20)
                report("more than 20 exported functions")
            if (code ~ /\)[ ]*\./) exporting = 0
        }
    }' "$@"
}

# Tests may be long: test files, and the tests at the foot of a file.
check_rust() {
    awk '
    FNR == 1 {
        tests = FILENAME ~ /\/(tests|benches)\/|\/tests\.rs$/
        if ($0 !~ /^\/\/!/)
            print FILENAME ":1: does not open with a `//!` comment"
    }
    previous ~ /^#\[cfg\(test\)\]/ && /^mod [a-z_]+ \{/ { tests = 1 }
    FNR == 801 && !tests { print FILENAME ":801: more than 800 lines of code" }
    { previous = $0 }' "$@"
    # awk sees no line in an empty file.
    local file
    for file in "$@"; do
        [[ -s $file ]] || echo "$file:1: does not open with a \`//!\` comment"
    done
}

# matches ARGUMENT...: like grep, but succeeds if it finds nothing.
matches() { grep "$@" || [[ $? == 1 ]]; }

# Folders of one person's machine, and the path of this checkout.
check_paths() {
    local edge='(^|[^A-Za-z0-9_./~$}>-])'
    local folders='(home|Users|root|work|workspace|builds)'
    {
        matches -InE "$edge/$folders/[A-Za-z0-9_.-]" /dev/null "$@"
        # The name of a checkout directly below / is too common to search for.
        if [[ $PWD == /*/* ]]; then
            matches -InF "$PWD/" /dev/null "$@"
        fi
    } | sed -E "s/^([^:]*:[0-9]+):.*/\1: absolute path of somebody's machine/"
}

check_everything() {
    project_files >"$scratch/files"
    matches -E '^(erlang-support|tests/erlang|tests/cases)/.*\.[eh]rl$' "$scratch/files" |
        for_each_file check_erlang
    matches -E '\.rs$' "$scratch/files" | for_each_file check_rust
    for_each_file check_paths <"$scratch/files"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
check_everything >"$scratch/found"
sort -t: -k1,1 -k2,2n -k3 "$scratch/found" | uniq >"$scratch/violations"
if [[ -s $scratch/violations ]]; then
    cat "$scratch/violations"
    echo "check-style: $(wc -l <"$scratch/violations") violations" >&2
    exit 1
fi
echo "check-style: no violations"
