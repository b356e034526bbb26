#!/bin/sh
# test: long
# The way of a newcomer: the tour, the first exercise, all of its questions one after the other, and then levers that move.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=newcomer.sh
. "$root/tests/e2e/window.inc"
export SDL_AUDIODRIVER=none
recordings=$work/home/data/spadework/recordings

press() {
    for key in "$@"; do
        hold "$key" 0.15
        sleep 0.7
    done
}
start "Spadework" menu --threads 1 --quality low
for _ in $(seq 120); do
    grep -q "no sound" "$work/err" && break
    sleep 0.5
done
xdotool windowfocus "$window"
sleep 2
press Return Return Return Return # show me, the keyboard, ISO, the levers are known
press Return # the first exercise: its page
for _ in $(seq 60); do
    driven=$(ls "$recordings"/walk-round-*.spade 2>/dev/null)
    [ -n "$driven" ] && break
    sleep 0.5
done
[ -n "$driven" ] || { wrong "the first exercise did not begin: $(cat "$work/err")" && exit 1; }
sleep 2
press Return # start

# Each question gets an answer, which counts before the next one comes.
questions=$(grep -c 'answers: ' "$root/data/scenes/walk-round.yaml")
answered() {
    ask "$driven" "select count(*) from event where kind = 'answer'" 2>/dev/null || echo 0
}
number=0
while [ $number -lt "$questions" ]; do
    press Return
    for _ in $(seq 20); do
        [ "$(answered)" -gt $number ] && break
        sleep 0.5
    done
    number=$((number + 1))
done
[ "$(answered)" -eq "$questions" ] || wrong "of $questions answers $(answered) count"

# Then the levers are free.
before=$(ask "$driven" "select count(distinct controls) from input")
for _ in 1 2 3 4 5; do
    hold k 1
    after=$(ask "$driven" "select count(distinct controls) from input")
    [ "$after" -gt "$before" ] && break
    sleep 1
done
[ "$after" -gt "$before" ] || wrong "after the questions no lever moves"
kill -9 "$program"
wait "$program" 2>/dev/null
program=
"$spadework" replay "$driven" --verify >"$work/verify" 2>&1 || wrong "what was killed while it recorded does not replay: $(cat "$work/verify")"
[ $result -eq 0 ] && echo "newcomer.sh: the tour, $questions questions and the levers; killed, it replays"
exit $result
