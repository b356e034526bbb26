#!/bin/sh
# Static analysis of every C file that the dev build compiles: sh tests/tidy.sh [--all]
#   (nothing)  clang-tidy's quick checks of all files; its path analysis (clang-analyzer), 50,000 steps a function, of those files whose
#              content is not in unit/house/analysed.txt. What is found good is added there: commit it with the change.
#   --all      path analysis of all files to its end (225,000 steps)
# Depends on the contents of the tree alone, not on dates or on the history. A file's own content counts: who changes what a
# header's inline function does runs --all (tests/long.sh does).
# Ends with 1 when something was found.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"
cd "$root" || exit 4
all=no
case ${1-} in
'') ;;
--all) all=yes ;;
*) fail 2 "tests/tidy.sh: unknown option $1; known: --all" ;;
esac
install_packages program fuzz
configure_preset dev >/dev/null || exit 1
record=tests/unit/house/analysed.txt
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# One file a call: several in one call give false findings on va_list. What the compiler warns of is the dev build's.
# shellcheck disable=SC2016 # variables of the inner shell
check_files() {
    checks=$1 steps=$2
    tr '\n' '\0' | xargs -0 -r -P "$(nproc)" -I '{}' sh -c '
        clang-tidy -p build/dev --quiet ${1:+"--checks=$1"} -extra-arg=-Wno-error -extra-arg=-Xclang -extra-arg=-analyzer-config \
            -extra-arg=-Xclang -extra-arg=max-nodes=$2 "$3" >"$4/$$.log" 2>&1
        code=$?
        grep -E "warning:|error:|note:" "$4/$$.log"
        [ $code -eq 0 ] && echo "$3" >>"$4/good"
        rm -f "$4/$$.log"
        exit $((code != 0))' tidy "$checks" "$steps" '{}' "$work"
}

# The key of a file: what it holds, and which checks there are.
keys() {
    checks=$(cksum <.clang-tidy | cut -d' ' -f1)
    xargs sha256sum | awk -v checks="$checks" '{ print substr($1, 1, 20) checks, $2 }'
}

# Only what the dev build compiles is in its list.
sed -n 's,.*"file": "'"$root"'/\(.*\)".*,\1,p' build/dev/compile_commands.json | sort -u >"$work/files"
[ "$(wc -l <"$work/files")" -gt 100 ] || fail 1 "tests/tidy.sh: build/dev/compile_commands.json names no files"
keys <"$work/files" >"$work/keys"
touch "$record"
sort "$record" >"$work/known"
result=0
if [ $all = yes ]; then
    check_files '' 225000 <"$work/files" >"$work/deep" || result=1
    sort -u "$work/deep"
else
    check_files '-clang-analyzer-*' 1 <"$work/files" >"$work/quick" || result=1
    sort -u "$work/quick"
    rm -f "$work/good"
    sort "$work/keys" | comm -23 - "$work/known" | cut -d' ' -f2 >"$work/new"
    say "path analysis of $(wc -l <"$work/new") of $(wc -l <"$work/files") files"
    check_files '' 50000 <"$work/new" >"$work/deep" || result=1
    sort -u "$work/deep"
fi
# What was found good now, and what was before and is still there.
touch "$work/good"
sort -u "$work/good" >"$work/now"
awk 'FILENAME == ARGV[1] { good[$1]; next } FILENAME == ARGV[2] { known[$0]; next } ($2 in good) || ($0 in known)' \
    "$work/now" "$work/known" "$work/keys" | sort -k2 >"$work/record"
cmp -s "$work/record" "$record" || cp "$work/record" "$record"
exit $result
