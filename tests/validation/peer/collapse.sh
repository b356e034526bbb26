#!/bin/sh
# Compares the collapse of a round column with LIGGGHTS: sh tests/validation/peer/collapse.sh [SEED...]
#   SEED  of the places and sizes of the grains (1 2 3)
# Columns of two heights run with every seed in both programs, one after another: about a minute a seed. A row of the
# table is one column: a = h0 / R0 asked for; seed; grains; a as it settled and run-out (R - R0) / R0 over it, in both;
# ratio of the latter, ours over LIGGGHTS. Below stand the mean ratios, with their standard errors.
# Ends with 3 when the mean ratio of a height is outside 0.9 to 1.1, with 4 when something is missing or breaks off.
# Needs python3, Debian's liggghts and the release build. README.md says what is compared and what is known to differ.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd -P) || exit 4
here=$root/tests/validation/peer
. "$root/trainer/setup.sh"

aspects='0.8 1.6' # h0 / R0
ratio=8           # R0 over the mean diameter of the grains
validate=$root/build/release/bin/validate

# program NAME: ends the script unless there is such a program; its package in Debian has the same name.
program() {
    command -v "$1" >/dev/null || fail 4 "$1: not installed: apt-get install $1"
}

collapse() {
    python3 "$here/collapse.py" "$@"
}

# ours ASPECT SEED: the results of the experiment, in ours.json. Status 3, outside the published range, is no fault.
ours() {
    "$validate" run collapse --set aspect="$1" --set radius_ratio=$ratio --seed "$2" --json \
        >ours.json 2>ours.log
    case $? in
    0 | 3) ;;
    *) tail -n 5 ours.log >&2 && fail 4 "validate run collapse broke off: a = $1, seed $2" ;;
    esac
}

# peer ASPECT SEED: what LIGGGHTS measures, in peer.txt. The input runs collapse.py in the current folder.
peer() {
    variables=$(collapse variables "$root/data/soils/sand.yaml" $ratio "$1") || exit 4
    # shellcheck disable=SC2086 # a list of words
    liggghts -in "$here/collapse.in" -log peer.log -screen none \
        -var ratio $ratio -var aspect "$1" -var seed "$2" $variables ||
        { tail -n 5 peer.log >&2 && fail 4 "liggghts broke off: a = $1, seed $2"; }
    collapse front $ratio settled.dump collapse.dump >peer.txt || exit 4
}

for seed in "$@"; do
    case $seed in
    '' | *[!0-9]*) fail 2 "collapse.sh: seed $seed: a whole number is allowed" ;;
    esac
done
[ $# -gt 0 ] || set -- 1 2 3
program liggghts
program python3
[ -x "$validate" ] || fail 4 "build/release/bin/validate: not built: sh trainer/run.sh --build-only"

work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work" || exit 4
cp "$here/collapse.py" . || exit 4

collapse header
for aspect in $aspects; do
    for seed in "$@"; do
        ours "$aspect" "$seed"
        peer "$aspect" "$seed"
        collapse row "$aspect" "$seed" ours.json peer.txt >line || exit 4
        cat line
        cat line >>table
        rm -f ./*.dump
    done
done
collapse means table
