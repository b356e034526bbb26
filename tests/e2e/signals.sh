#!/bin/sh
# test: long
# Every way to end a command ends it in good order: signals at several moments, twice, a reader who does not read or has
# gone, a terminal that is closed. What was recorded verifies, nothing that was started stays.
. "$(dirname "$0")/common.inc"
limit=20 # s in which anything must have ended

# left SESSION: prints what still runs in a session of processes.
left() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) .*) /\1 /' | awk -v session="$1" '$5 == session && $2 != "Z" { print $1 }'
}

# begin ARGS...: the program in a session of its own, in the background; its number is in $program. Standard output and
# error go to out and err, or where $to says for both. A shell lets what it puts in the background ignore Ctrl-C.
to=
begin() {
    if [ -n "$to" ]; then
        setsid env --default-signal=INT "$spadework" "$@" >"$to" 2>&1 &
    else
        setsid env --default-signal=INT "$spadework" "$@" >out 2>err &
    fi
    program=$!
}

# when COMMAND...: waits until it succeeds.
when() {
    for _ in $(seq $((limit * 20))); do
        "$@" && return
        sleep 0.05
    done
    wrong "waited in vain for: $*"
}

# is_over: the program has ended, and the shell may have seen it or not.
is_over() {
    state=Z
    [ ! -e /proc/$program ] || read -r _ _ state _ <"/proc/$program/stat"
    [ "$state" = Z ]
}

# ended CODE WHAT: the program ends within the limit, with the code, and leaves nothing running.
ended() {
    when is_over
    kill -KILL $program 2>/dev/null
    wait $program 2>/dev/null
    code=$?
    [ $code -eq "$1" ] || wrong "$2: exit $code, $1 expected: $(cat err)"
    [ -z "$(left $program)" ] || wrong "$2: left running: $(left $program)"
    program=
}

# whole REC WHAT [LEAST]: the recording verifies, is closed, and holds at least so many ticks.
whole() {
    "$spadework" replay "$1" --verify --json >verified 2>&1 || wrong "$2: does not verify: $(cat verified)"
    grep -q '"closed": true' verified || wrong "$2: is marked as cut short"
    ticks=$(sed -n 's/.*"ticks": \([0-9]*\).*/\1/p' verified)
    [ "$ticks" -ge "${3:-1}" ] || wrong "$2: holds $ticks ticks, at least ${3:-1} expected"
}
figures() {
    grep -q interrupted out && grep -q '^soil mass .*constant' out || wrong "$1: no figures: $(cat out)"
}

# Each signal: while the program starts, as soon as there is a recording, and in the midst of it.
number=0
for signal in HUP INT TERM; do
    begin run trench --headless --threads 1 --seconds 600 --record start-$signal.spade
    sleep 0.0$number
    kill -$signal $program
    when is_over
    wait $program 2>/dev/null
    code=$?
    if [ -e start-$signal.spade ]; then
        [ $code -eq 0 ] || wrong "$signal at the start: exit $code: $(cat err)"
        whole start-$signal.spade "$signal at the start"
    else
        [ $code -gt 128 ] || wrong "$signal at the start: exit $code without a recording"
    fi
    for moment in 0 0.7; do
        begin run trench --headless --threads 1 --seconds 600 --record $signal-$moment.spade
        when test -s $signal-$moment.spade
        sleep $moment
        kill -$signal $program
        ended 0 "$signal after $moment s"
        figures "$signal after $moment s"
        whole $signal-$moment.spade "$signal after $moment s"
    done
    # At the end: what comes while the files are closed and the figures printed changes nothing of them.
    begin run trench --headless --threads 1 --seconds 0.5 --record end-$signal.spade
    when test -s end-$signal.spade
    sleep 0.1$number
    kill -$signal $program 2>/dev/null
    ended 0 "$signal at the end"
    grep -q '^recording ' out || wrong "$signal at the end: no figures: $(cat out)"
    whole end-$signal.spade "$signal at the end"
    number=$((number + 3))
done

# nohup(1): a closed terminal is nothing to a run that was begun so. timeout(1) sends its signal twice at once.
setsid nohup "$spadework" run free --headless --threads 1 --seconds 600 --record kept.spade >out 2>err </dev/null &
program=$!
when test -s kept.spade
kill -HUP $program
sleep 0.3
kill -0 $program 2>/dev/null || wrong "nohup: a closed terminal ended it"
kill -TERM $program
ended 0 "TERM after nohup"
whole kept.spade "TERM after nohup" 2
timeout 1 "$spadework" run free --headless --threads 1 --seconds 600 --record timed.spade >out 2>err
[ $? -eq 124 ] || wrong "timeout: $(cat err)"
figures timeout
whole timed.spade timeout

# A reader who does not read: of the telemetry, then of everything. One signal ends the run in good order; a second one
# ends it at once, as a shell is used to.
mkfifo unread
sleep 600 <unread &
reader=$!
exec 3>unread # keeps it open for both
to=unread
begin run free --headless --threads 1 --seconds 600 --telemetry /dev/stdout --record unread.spade
stands() { # the program waits in a call: its time does not grow
    before=$(awk '{ print $14 + $15 }' /proc/$program/stat)
    sleep 0.3
    [ "$(awk '{ print $14 + $15 }' /proc/$program/stat)" -eq "$before" ]
}
when test -s unread.spade
when stands
kill -TERM $program
ended 4 "TERM while the telemetry is not read"
whole unread.spade "TERM while the telemetry is not read" 60
begin run free --headless --threads 1 --seconds 600 --progress --record silent.spade
when test -s silent.spade
when stands
kill -HUP $program
ended 4 "HUP while nothing is read"
whole silent.spade "HUP while nothing is read"
begin run free --headless --threads 1 --seconds 600 --progress --record twice.spade
when test -s twice.spade
when stands
kill -TERM $program
sleep 0.35
kill -INT $program
ended 130 "TERM, then INT"
exec 3>&-
kill $reader
to=

# A reader who has gone ends nothing that records.
"$spadework" run free --headless --threads 1 --seconds 1 --record gone.spade 2>err | :
whole gone.spade "figures that nobody reads" 60
{
    "$spadework" run free --headless --threads 1 --seconds 5 --telemetry /dev/stdout --record gone2.spade 2>err
    echo $? >code
} | head -n 1 >read
[ "$(cat code)" -eq 4 ] && grep -q 'the recording goes on' err || wrong "telemetry whose reader left: exit $(cat code): $(cat err)"
whole gone2.spade "telemetry whose reader left" 300

# A terminal that is closed.
if command -v script >/dev/null; then
    setsid script -q -c "exec '$spadework' run trench --headless --threads 1 --seconds 600 --record shut.spade" /dev/null >terminal 2>&1 </dev/null &
    terminal=$!
    when test -s shut.spade
    sleep 0.3
    kill -KILL $terminal
    wait $terminal 2>/dev/null
    gone() { ! grep -lzq "shut.spade" /proc/[0-9]*/cmdline 2>/dev/null; }
    when gone
    whole shut.spade "a closed terminal"
fi

# Commands that cannot be done in part end by the signal, without a part of their work, and with those they have started.
"$spadework" run trench --headless --threads 1 --seconds 15 --record long.spade >out 2>err || wrong "nothing was recorded: $(cat err)"
stopped() { # CODE WHAT
    ended "$1" "$2"
    grep -q 'before it was done' err || wrong "$2: told $(cat err)"
}
takes() { # the program has taken the signals, however long its start took
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$program/status" 2>/dev/null)
    [ $((0x${caught:-0} & 2)) -ne 0 ]
}
begin replay long.spade --verify --threads 1
when takes
sleep 0.3
kill -INT $program
stopped 130 "INT while verifying"
begin replay long.spade --verify --threads 1
when takes
sleep 0.3
kill -HUP $program
stopped 129 "HUP while verifying"
sed 's/^\( *time_limit:\) .*/\1 900/' "$root/data/scenes/trench.yaml" >longer.yaml
begin rescore long.spade long.spade long.spade --scene ./longer.yaml --threads 2
when takes
sleep 0.4
kill -TERM $program
stopped 143 "TERM while scoring anew"
if command -v ffmpeg >/dev/null; then
    # Without a display pictures cannot be drawn everywhere: a film that cannot be begun is none to be ended.
    begin export long.spade --video long.mp4 --size 64x64 --threads 1
    sleep 1.2
    kill -TERM $program 2>/dev/null
    wait $program
    code=$?
    [ $code -eq 143 ] || [ $code -eq 4 ] || wrong "TERM while filming: exit $code: $(cat err)"
    [ -z "$(left $program)" ] || wrong "TERM while filming: left running: $(left $program)"
    [ ! -e long.mp4 ] && [ ! -e long.mp4.part ] || wrong "TERM while filming: a part of the film is left"
    program=
fi

[ $result -eq 0 ] && echo "signals.sh: what is ended ends in good order"
exit $result
