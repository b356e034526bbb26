#!/bin/sh
# What it costs a drive that pages look on: sh tests/lookers.sh [PAIRS] [LOOKERS] [SECONDS] [WITH]
#   PAIRS    of drives, one without and one with lookers, in turn which comes first (6)
#   LOOKERS  that read the console's events as a browser does (20)     SECONDS  of the trench that the scripted operator digs (40)
#   WITH     curl, which only reads, or chromium: tabs that draw the page, which cost their computer some 0.15 s a second each (curl)
# Prints of each drive the time of a tick, which other work on the computer lengthens, and the processor time of the drive's thread
# for a tick and of the console's in a second, which it hardly does; then the median of the pairs' ratios.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"
pairs=${1:-6} lookers=${2:-20} seconds=${3:-40} with=${4:-curl}
install_packages run test
build_preset release spadework || exit 4
spadework=$root/build/release/bin/spadework
token=0123456789abcdef0123
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data" XDG_CONFIG_HOME="$work/config"
unset http_proxy HTTP_PROXY

# watch: keeps what each thread of the program has cost so far, in ns, until the program is no more.
watch() {
    while [ -d /proc/$program/task ]; do
        for task in "/proc/$program/task"/*; do
            { read -r name <"$task/comm" && read -r spent _ <"$task/schedstat"; } 2>/dev/null || continue
            [ "${task##*/}" != $program ] || name=drive
            echo "$spent" >"$work/cost-$name"
        done
        sleep 0.5
    done
}

# look COUNT: begins to look on.
look() {
    if [ "$with" = chromium ]; then
        python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1280x800 en "tabs:$1" \
            'each:(window.seen = 0, window.own = take, take = (kind, value) => { seen += kind === "state"; own(kind, value); }, true)' \
            "rest:$((seconds - 15))" "each:seen > $((seconds - 15))" >"$work/browser" 2>&1 &
        return
    fi
    for number in $(seq "$1"); do
        curl -s -N -H "Authorization: Bearer $token" "$url/live" >"$work/looker-$number" &
    done
}

# drive COUNT: prints median and p99 of a tick in ms while COUNT look on, and ms of processor time: of its thread for a tick, of the
# console's thread in a second.
drive() {
    rm -f "$work"/cost-* "$work"/looker-* "$work/browser" "$work/err"
    "$spadework" run trench --headless --operator auto --seconds "$seconds" --json --console 0 --console-token $token \
        >"$work/out" 2>"$work/err" &
    program=$!
    until grep -qs 'http://' "$work/err"; do sleep 0.1; done
    url=$(sed -n 's,.*\(http://[^#]*\)/#.*,\1,p' "$work/err")
    watch &
    [ "$1" = 0 ] || look "$1"
    wait $program || fail 1 "the drive failed: $(cat "$work/err")"
    wait
    if [ -s "$work/browser" ]; then
        fail 1 "a tab saw too little: $(cat "$work/browser")"
    fi
    for looker in "$work"/looker-*; do
        [ ! -f "$looker" ] || [ "$(grep -c '^event: state' "$looker")" -gt $((seconds * 7)) ] || fail 1 "$looker saw too little"
    done
    python3 -c 'import json, sys
run = json.load(sys.stdin)
drive, console = (float(open(name).read()) / 1e6 for name in sys.argv[1:])
print(run["tick_ms_p50"], run["tick_ms_p99"], drive / run["ticks"], console / run["wall_s"])' \
        "$work/cost-drive" "$work/cost-console" <"$work/out"
}

printf '%4s %40s %40s\n' '' alone "with $lookers"
printf '%4s %9s %9s %9s %10s %9s %9s %9s %10s\n' pair p50 p99 cpu/tick console/s p50 p99 cpu/tick console/s
for pair in $(seq "$pairs"); do
    if [ $((pair % 2)) -eq 1 ]; then
        alone=$(drive 0) seen=$(drive "$lookers")
    else
        seen=$(drive "$lookers") alone=$(drive 0)
    fi
    # shellcheck disable=SC2086 # four numbers each
    printf '%4d %9.2f %9.2f %9.3f %10.2f %9.2f %9.2f %9.3f %10.2f\n' "$pair" $alone $seen
    echo "$alone $seen" >>"$work/pairs"
done
for figure in 'tick p50' 'tick p99' 'processor time of the drive for a tick'; do
    case $figure in *p50) column=1 ;; *p99) column=2 ;; *) column=3 ;; esac
    awk -v column=$column '{ print $(column + 4) / $column }' "$work/pairs" | sort -n | awk -v name="$figure" '{ r[NR] = $1 } END {
        printf "%s: median of the ratios %.3f, from %.3f to %.3f\n", name, NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2, r[1], r[NR] }'
done
