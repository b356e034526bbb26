#!/bin/sh
# Plays many stations to a broker and a classroom on this computer: sh tests/load.sh [STATIONS] [SECONDS] [HZ]
#   STATIONS  1..512 (200)   SECONDS  (60)   HZ  states of each station a second (10)
#   BUILD_DIR  a build folder whose programs are run (default: the release build, which is made)
#   LOAD_PLACES  a file that the address of the page and the port of the broker go to, for whoever wants to look
# Prints a table: what was sent, received and lost, how late the page shows it, and what broker and classroom take. Ends with 1
# when something was lost.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

stations=${1:-200} seconds=${2:-60} rate=${3:-10} token=0123456789abcdef0123
if [ -z "${BUILD_DIR-}" ]; then
    install_packages program run test
    build_preset release spadework load || exit 1
    BUILD_DIR=$root/build/release
fi
PATH=$PATH:/usr/sbin
command -v mosquitto >/dev/null 2>&1 || fail 4 "tests/load.sh: needs mosquitto (trainer/packages.txt)"
work=$(mktemp -d) || exit 4
broker='' classroom='' load=''
tidy() {
    for one in $load $classroom $broker; do # the broker last: the classroom tells when it goes away
        kill "$one" 2>/dev/null && wait "$one"
    done
    grep -v 'the classroom: \|: connected' "$work/classroom.log" >&2
    rm -rf "$work"
}
trap tidy EXIT
trap 'exit 130' INT TERM

# begin_broker: on a port that is free; ports are tried, as mosquitto takes none by itself.
begin_broker() {
    for try in 1 2 3 4 5 6 7 8; do
        port=$((20000 + ($$ * 7 + try * 997) % 20000))
        printf 'listener %d 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nmax_queued_messages 20000\n' $port >"$work/broker.conf"
        mosquitto -c "$work/broker.conf" >"$work/broker.log" 2>&1 &
        broker=$!
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            sleep 0.1
            ! grep -q 'mosquitto version.*running' "$work/broker.log" || return 0
            kill -0 "$broker" 2>/dev/null || break
        done
        kill "$broker" 2>/dev/null
    done
    fail 4 "tests/load.sh: no broker: $(tail -n 1 "$work/broker.log")"
}

begin_broker
: >"$work/classroom.log"
"$BUILD_DIR/bin/spadework" serve --classroom --broker "mqtt://127.0.0.1:$port" --console-token $token 2>"$work/classroom.log" &
classroom=$!
url=
for _ in $(seq 100); do
    url=$(sed -n 's,^spadework: the classroom: \(http://[^#]*\)/#.*,\1,p' "$work/classroom.log")
    [ -z "$url" ] || ! grep -q 'connected' "$work/classroom.log" || break
    sleep 0.1
done
[ -n "$url" ] || fail 4 "tests/load.sh: no page: $(cat "$work/classroom.log")"
[ -z "${LOAD_PLACES-}" ] || echo "$url $token $port" >"$LOAD_PLACES"
"$BUILD_DIR/bin/load" "$root/tests/load/states.jsonl" "$port" "$url" $token "$stations" "$seconds" "$rate" "$broker" "$classroom" &
load=$!
wait "$load"
code=$?
load=
exit $code
