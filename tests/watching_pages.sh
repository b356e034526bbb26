#!/bin/sh
# What it costs a drive that pages look on: sh tests/watching_pages.sh [PAIRS] [LOOKERS] [SECONDS] [WITH]
#   PAIRS    of drives: the trench, which the scripted operator digs by the clock (2)       SECONDS  of each drive (120)
#   LOOKERS  that read the console's events as a browser does (20)
#   WITH     curl, which only reads: they come and go every five seconds; or chromium: tabs that draw the page, some 0.15 s of a
#            processor in a second each, for half of the drive (curl). Of a pair one drive is seen when the other is alone
#   DRIVE_UNDER, LOOKERS_UNDER  commands that drive and lookers are begun by. `taskset -c 0` and `taskset -c 1` give each its own
#            processor, which is nearest to lookers on another computer; `chrt -i 0` leaves lookers only what the drive does not want
# Where a kernel samples memory (a thread kdamond), that takes a processor for up to 18 ms at a stretch, twice a second, and longer the
# more memory is in use: it counts as cost of a browser unless it is kept off the drive's processor (`taskset -pc 1 NUMBER`).
# Prints the time of a tick, which other work on the computer lengthens, and processor time of the drive's thread for a tick and of
# the console's in a second, without and with lookers, then the ratios; of each pair and of all.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"
pairs=${1:-2} lookers=${2:-20} seconds=${3:-120} with=${4:-curl} under=${LOOKERS_UNDER-} drive_under=${DRIVE_UNDER-}
install_packages run test
build_preset release spadework || exit 4
spadework=$root/build/release/bin/spadework
token=0123456789abcdef0123
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data" XDG_CONFIG_HOME="$work/config"
unset http_proxy HTTP_PROXY

# live: the console's events.
live() {
    curl -s -N -H "Authorization: Bearer $token" "$url/live"
}

# cost THREAD: what it has cost so far, in ns.
cost() {
    for task in /proc/$program/task/*; do
        read -r name <"$task/comm" && read -r spent _ <"$task/schedstat" || continue
        [ "${task##*/}" != $program ] || name=drive
        [ "$name" != "$1" ] || echo "$spent"
    done 2>/dev/null
}

# mark: the s that the drive is at, and what its threads have cost; false once it has ended.
mark() {
    at=$(live | grep -m 1 -o '"time":[0-9.]*' | head -n 1) && drive=$(cost drive) && console=$(cost console) && [ -n "$console" ] &&
        echo "${at#*:} $drive $console"
}

# stretch KIND SECONDS: lets the drive go on so long, and keeps what it cost.
stretch() {
    from=$(mark) || return 1
    sleep "$2"
    to=$(mark) || return 1
    echo "$1 $from $to" >>"$work/stretches-$number"
}

# come: the lookers come, and each sees something.
come() {
    rm -f "$work"/looker-* "$work/browser"
    if [ "$with" = chromium ]; then
        # shellcheck disable=SC2086 # a command
        $under python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1280x800 en "tabs:$lookers" \
            'each:(window.seen = 0, window.own = take, take = (kind, value) => { seen += kind === "state"; own(kind, value); }, true)' \
            "picture:$work/here.png" "rest:$half" "each:seen > 0" "picture:$work/browser.png" >"$work/browser" 2>&1 &
        came=$!
        until [ -f "$work/here.png" ]; do
            kill -0 $came 2>/dev/null || fail 1 "the browser: $(cat "$work/browser")"
            sleep 0.2
        done
        return
    fi
    came=
    for looker in $(seq "$lookers"); do
        # shellcheck disable=SC2086 # a command
        $under curl -s -N -H "Authorization: Bearer $token" "$url/live" >"$work/looker-$looker" &
        came="$came $!"
    done
    for looker in $(seq "$lookers"); do
        until grep -q '^event: state' "$work/looker-$looker" 2>/dev/null; do
            kill -0 $program 2>/dev/null || return 1
            sleep 0.05
        done
    done
}

# go SECONDS: the lookers go; each has seen enough in that time.
go() {
    if [ "$with" = chromium ]; then
        wait $came || fail 1 "a tab saw too little: $(cat "$work/browser")"
        rm -f "$work/here.png"
        return
    fi
    # shellcheck disable=SC2086 # processes
    kill $came && wait $came 2>/dev/null
    for looker in "$work"/looker-*; do
        [ "$(grep -c '^event: state' "$looker")" -ge $(($1 * 8)) ] || fail 1 "$looker saw too little in $1 s"
    done
}

# drive NUMBER
drive() {
    number=$1 half=$((seconds / 2 - 15))
    rm -f "$work/err"
    # shellcheck disable=SC2086 # a command
    $drive_under "$spadework" run trench --headless --operator auto --seconds "$seconds" --json --console 0 --console-token $token \
        --telemetry "$work/ticks-$number" >"$work/out" 2>"$work/err" &
    program=$!
    until grep -qs 'http://' "$work/err"; do sleep 0.1; done
    url=$(sed -n 's,.*\(http://[^#]*\)/#.*,\1,p' "$work/err")
    sleep 1
    if [ "$with" = chromium ]; then
        [ $((number % 2)) -eq 0 ] || stretch alone $half
        come && stretch seen $((half - 5)) && go
        [ $((number % 2)) -eq 1 ] || stretch alone $half
    else
        # Drives are equal to the bit: what one does alone the next does with lookers.
        [ $((number % 2)) -eq 1 ] || { come && stretch seen 5 && go 5; }
        while stretch alone 5 && come && stretch seen 5; do go 5; done
    fi
    wait $program || fail 1 "the drive failed: $(cat "$work/err")"
    wait
}

printf '%5s %6s %38s   %38s   %s\n' '' '' alone "with $lookers" 'ratio of p50, p99, cpu'
printf '%5s %6s %8s %8s %9s %10s   %8s %8s %9s %10s\n' pair ticks p50 p99 cpu/tick console/s p50 p99 cpu/tick console/s
drives=$((2 * pairs))
for number in $(seq "$drives"); do
    drive "$number"
    [ $((number % 2)) -eq 1 ] || python3 "$root/tests/support/lookers.py" "$work" $((number / 2)) $((number - 1)) "$number"
done
[ "$pairs" -eq 1 ] || python3 "$root/tests/support/lookers.py" "$work" all $(seq "$drives")
