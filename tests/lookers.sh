#!/bin/sh
# What it costs a drive that pages look on: sh tests/lookers.sh [PAIRS] [LOOKERS] [SECONDS]
#   PAIRS    of drives, one without and one with lookers, in turn which comes first (6)
#   LOOKERS  that read the console's events as a browser does (20)     SECONDS  of the trench that the scripted operator digs (40)
# Prints the time of a tick of each drive, and the median of the pairs' ratios.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"
pairs=${1:-6} lookers=${2:-20} seconds=${3:-40}
install_packages run test
build_preset release spadework || exit 4
spadework=$root/build/release/bin/spadework
token=0123456789abcdef0123
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data" XDG_CONFIG_HOME="$work/config"
unset http_proxy HTTP_PROXY

# drive COUNT: prints median and p99 of a tick in ms while COUNT look on.
drive() {
    "$spadework" run trench --headless --operator auto --seconds "$seconds" --json --console 0 --console-token $token \
        >"$work/out" 2>"$work/err" &
    program=$!
    until grep -q 'http://' "$work/err"; do sleep 0.1; done
    url=$(sed -n 's,.*\(http://[^#]*\)/#.*,\1,p' "$work/err")
    for number in $(seq "$1"); do
        curl -s -N -H "Authorization: Bearer $token" "$url/live" >"$work/looker-$number" &
    done
    wait $program || fail 1 "the drive failed: $(cat "$work/err")"
    wait
    for number in $(seq "$1"); do
        [ "$(grep -c '^event: state' "$work/looker-$number")" -gt $((seconds * 7)) ] || fail 1 "looker $number saw too little"
    done
    rm -f "$work"/looker-*
    python3 -c 'import json, sys; run = json.load(sys.stdin); print(run["tick_ms_p50"], run["tick_ms_p99"])' <"$work/out"
}

printf '%4s %12s %12s %12s %12s\n' pair 'alone p50' 'alone p99' "$lookers p50" "$lookers p99"
for pair in $(seq "$pairs"); do
    if [ $((pair % 2)) -eq 1 ]; then
        alone=$(drive 0) seen=$(drive "$lookers")
    else
        seen=$(drive "$lookers") alone=$(drive 0)
    fi
    # shellcheck disable=SC2086 # two numbers each
    printf '%4d %12.2f %12.2f %12.2f %12.2f\n' "$pair" $alone $seen
    echo "$alone $seen" >>"$work/pairs"
done
awk '{ print $3 / $1 }' "$work/pairs" | sort -n >"$work/p50"
awk '{ print $4 / $2 }' "$work/pairs" | sort -n >"$work/p99"
for figure in p50 p99; do
    awk -v name=$figure '{ r[NR] = $1 } END {
        printf "%s: median of the ratios %.3f, from %.3f to %.3f\n", name, NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2, r[1], r[NR] }' "$work/$figure"
done
