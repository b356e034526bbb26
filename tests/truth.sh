#!/bin/sh
# The table of truth in README.md, and docs/truth.md with every case: sh tests/truth.sh [--check] [FILE.json...]
#   FILE.json  results that `validate run measured --json` printed, of all sets or of some. Without one every set is run, which
#              takes 10 minutes of two processors; what it prints is kept in build/truth/measured.json.
#   --check    writes neither document. Ends with 1 and prints the lines that differ: README.md's table is not that of
#              docs/truth.md, docs/truth.md lacks a set or has one too many, or its lines about the sets that were run are not
#              those that the command writes.
# Writes build/truth/truth.html, too: a page a set, with its figure.
#   SOURCE_DIR  where the two documents are (default: this repository)
#   BUILD_DIR   the build whose validate is asked (default: build/release)
set -u
here=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
root=${SOURCE_DIR:-$here}
validate=${BUILD_DIR:-$here/build/release}/bin/validate
[ -x "$validate" ] || { echo "tests/truth.sh: $validate is missing: sh trainer/run.sh --build-only makes it" >&2 && exit 4; }
check=
if [ "${1-}" = --check ]; then
    check=yes
    shift
fi
case ${1-} in -*) echo "tests/truth.sh: unknown option $1; known: --check" >&2 && exit 2 ;; esac
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# asked ARGS...: runs validate, which ends with 3 where a figure is outside of what was measured.
asked() {
    "$validate" "$@"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ]
}

# The sums by set: the first table of docs/truth.md, and the one of README.md.
begin='^[|] set [|] what is compared [|]'
table() {
    awk -v begin="$begin" '$0 ~ begin { inside = 1 } inside && !/^[|]/ { exit } inside' "$1"
}

# README.md with the table of FILE in the place of its own.
with_table() {
    awk -v begin="$begin" -v file="$1" '
        $0 ~ begin { inside = 1; while ((getline line < file) > 0) print line }
        inside && !/^[|]/ { inside = 0 }
        !inside' "$root/README.md"
}

# Lines about a set: of both tables and of the sources.
lines_of() {
    awk -v row="| $1 |" -v source="- **$1**." 'index($0, row) == 1 || index($0, source) == 1' "$2"
}

# Names of the sets in the tables of a document; of the shipped ones.
sets_of() {
    table "$1" | awk -F ' *[|] *' 'NR > 2 && $2 !~ /^all( |$)/ { print $2 }' | sort
}
shipped() {
    for file in "$here"/tests/validation/measured/sets/*.yaml; do
        [ "$(head -n 1 "$file")" != "kind: measured" ] || basename "$file" .yaml
    done | sort
}

result=0
# same WHAT A B: prints what differs.
same() {
    diff "$2" "$3" >"$work/differs" && return
    echo "tests/truth.sh: $1:"
    cat "$work/differs"
    result=1
}

whole=
out=$here/build/truth
if [ $# -eq 0 ]; then
    whole=yes
    mkdir -p "$out" || exit 4
    asked run measured --json >"$out/measured.json" || exit 1
    set -- "$out/measured.json"
fi
for file in "$@"; do
    shift
    set -- "$@" --from "$file"
done
asked report "$work/truth.md" --only measured "$@" || exit 1
table "$work/truth.md" >"$work/table"
shipped >"$work/shipped"

if [ -z "$check" ]; then
    sets_of "$work/truth.md" >"$work/sets"
    same "the results are not those of all shipped sets" "$work/shipped" "$work/sets"
    [ $result -eq 0 ] || exit 1
    mkdir -p "$out" && asked report "$out/truth.html" --only measured "$@" || exit 1
    with_table "$work/table" >"$work/readme" && table "$work/readme" >"$work/written" || exit 1
    same "README.md has no such table to replace" "$work/table" "$work/written"
    [ $result -eq 0 ] || exit 1
    cat "$work/truth.md" >"$root/docs/truth.md" && cat "$work/readme" >"$root/README.md" || exit 1
    echo "README.md, docs/truth.md and $out/truth.html are written"
    exit 0
fi

documented=$root/docs/truth.md
table "$documented" >"$work/documented"
table "$root/README.md" >"$work/readme"
same "README.md's table (>) is not that of docs/truth.md (<)" "$work/documented" "$work/readme"
sets_of "$documented" >"$work/sets"
same "docs/truth.md (>) has not the shipped sets (<)" "$work/shipped" "$work/sets"
for set in $(sets_of "$work/truth.md"); do
    lines_of "$set" "$work/truth.md" >"$work/now"
    lines_of "$set" "$documented" >"$work/then"
    same "$set: docs/truth.md (>) is not what the command writes (<)" "$work/now" "$work/then"
done
[ -z "$whole" ] || same "docs/truth.md (>) is not what the command writes (<)" "$work/truth.md" "$documented"
exit $result
