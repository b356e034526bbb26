#!/bin/sh
# Recordings as a user has them: verified by any number of threads, taken over, killed in mid-write, cut, changed, foreign,
# and on a disk that is full.
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "recording.sh: sqlite3 is missing; tests/run.sh installs it" && exit 1; }

good() {
    run "$@"
    [ $code -eq 0 ] || wrong "$*: exit $code: $(cat err)"
}
# bad CODE ARGS...: must end with CODE and one line on stderr that names the file given last but for options.
bad() {
    wanted=$1
    shift
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat out err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F "$2" err || wrong "$*: the file is not named: $(cat err)"
}
ask() {
    sqlite3 -readonly "$1" "$2"
}

# Recorded by one thread; verified by others, also from the middle and from every keyframe; the file stays as it is.
good run trench --headless --operator auto --seconds 5 --threads 1 --record a.spade --trainee Ann --json
hash=$(grep '"hash"' out)
before=$(cksum <a.spade)
for threads in 1 2 3 8; do
    good replay a.spade --verify --threads $threads
    grep -q '300 ticks' out || wrong "verify with $threads threads: $(cat out)"
done
good replay a.spade --verify --keyframes --from 2.5
[ "$(cksum <a.spade)" = "$before" ] || wrong "reading changed the recording"
[ "$(ls)" = "$(printf 'a.spade\nerr\nout')" ] || wrong "reading left files behind: $(ls | tr '\n' ' ')"

# What is in it.
[ "$(ask a.spade "select value from meta where key = 'trainee'")" = Ann ] || wrong "the trainee is not stored"
[ "$(ask a.spade 'select count(*) from input')" -eq 300 ] || wrong "not 300 inputs"
[ "$(ask a.spade 'select count(*) from keyframe')" -ge 3 ] || wrong "not a keyframe each three seconds"
for kind in scenes machines soils; do
    [ "$(ask a.spade "select count(*) from file where kind = '$kind'")" -ge 1 ] || wrong "no $kind stored"
done
[ "$(ask a.spade 'select count(*) from metric')" -ge 5 ] || wrong "no metrics stored"

# It needs nothing else: the data folder may be gone.
SPADEWORK_DATA=$work/nowhere "$spadework" replay a.spade --verify >out 2>err || wrong "without the data: $(cat err)"

# An existing recording is never written over.
run run trench --headless --seconds 1 --record a.spade
[ $code -ne 0 ] && [ "$(cksum <a.spade)" = "$before" ] || wrong "a recording was written over"

# Taken over in the middle by the same levers it comes to the same end.
{
    printf 't,swing,stick,boom,bucket\n0,0,0,0.6,0\n1,0.5,0,0,0.3\n2,0,-0.4,0,0\n3,0,0,-0.5,0\n4,0,0,0,0\n'
} >levers.csv
good run trench --headless --operator levers.csv --seconds 4 --threads 2 --record whole.spade --json
hash=$(grep '"hash"' out)
good resume whole.spade --at 1.7 --headless --operator levers.csv --seconds 2.3 --json
[ "$(grep '"hash"' out)" = "$hash" ] || wrong "taken over at 1.7 s it ends differently"
[ -s whole-2.spade ] || wrong "the new recording is not numbered beside its parent: $(ls | tr '\n' ' ')"
[ "$(ask whole-2.spade "select value from meta where key = 'parent'")" = whole.spade ] || wrong "the parent is not named"
good replay whole-2.spade --verify --keyframes
bad 2 resume whole.spade --at 99 --headless --seconds 1

# changed SQL CODE: a copy with the change must not verify.
changed() {
    cp a.spade changed.spade
    sqlite3 changed.spade "$1" || wrong "sqlite3: $1"
    run replay changed.spade --verify
    [ $code -eq 3 ] || [ $code -eq 1 ] || wrong "after \"$1\": exit $code: $(cat out err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "after \"$1\": not one line: $(cat err)"
}
changed "update state set hash = hash + 1 where tick = 100"
grep -q 'tick 100' err || wrong "a changed hash at tick 100 is told as: $(cat err)"
changed "update input set controls = zeroblob(length(controls)) where tick = (select tick from input where controls <> zeroblob(length(controls)) limit 1)"
changed "update keyframe set zstd = substr(zstd, 1, length(zstd) / 2) where tick = 180"
bad 1 check changed.spade
changed "update keyframe set zstd = (select zstd from keyframe where tick = 0) where tick = 180"
changed "update meta set value = 12345 where key = 'seed'"
changed "update file set text = replace(text, 'Dig', 'dig') where kind = 'scenes'"
changed "delete from input where tick = 77"
changed "drop table keyframe"

# Cut at several lengths, damaged, foreign: refused, and never changed.
size=$(wc -c <a.spade)
for part in 50 99 512 4096 $((size / 3)) $((size - 4096)) $((size - 1)); do
    head -c "$part" a.spade >cut.spade
    bad 1 check cut.spade # $part bytes
    [ "$(wc -c <cut.spade)" -eq "$part" ] || wrong "a cut file was changed"
done
: >empty.spade
bad 1 check empty.spade
echo 'this is a text' >text.spade
bad 1 replay text.spade --verify
printf '\211PNG\r\n\032\n0000IHDR' >picture.spade
bad 1 check picture.spade
sqlite3 foreign.spade 'create table t(a); insert into t values(1)'
before=$(cksum <foreign.spade)
bad 1 check foreign.spade
sqlite3 wal.spade 'pragma journal_mode = wal; create table t(a)' >/dev/null
bad 1 check wal.spade
[ "$(cksum <foreign.spade)" = "$before" ] || wrong "a foreign file was changed"
bad 1 check nosuch.spade
mkdir folder.spade
bad 1 check folder.spade

# Killed in mid-recording, several times at other moments: it opens, verifies, and lacks at most about a second.
for wait in 1.1 1.7 2.3; do
    rm -f killed.spade killed.spade-journal killed.csv
    "$spadework" run trench --headless --operator auto --seconds 600 --threads 1 --record killed.spade \
        --telemetry killed.csv >out 2>err &
    program=$!
    sleep $wait
    kill -9 $program
    wait $program 2>/dev/null
    program=
    good replay killed.spade --verify
    # Telemetry is written out once a second too, so the two may differ by one second each way.
    rows=$(($(wc -l <killed.csv) - 1))
    ticks=$(ask killed.spade 'select count(*) from input' 2>/dev/null || echo "$rows")
    [ "$ticks" -ge $((rows - 60)) ] || wrong "killed after $wait s: $rows ticks were written, $ticks are recorded"
done

# A full disk: told at once, what was committed stays good. (A limit of the file's size stands for the disk.)
(
    ulimit -f 1000 # blocks of 512 bytes
    exec "$spadework" run trench --headless --operator auto --seconds 60 --record full.spade >out 2>err
)
code=$?
[ $code -eq 4 ] || wrong "full disk: exit $code: $(cat err)"
[ "$(grep -c . err)" -eq 1 ] && grep -q full.spade err || wrong "full disk: $(cat err)"
good replay full.spade --verify
rm -f full.spade
(
    ulimit -f 1000
    exec "$spadework" run trench --headless --operator auto --seconds 12 --record full.spade --keep-going --json >out 2>err
)
code=$?
grep -q '"ticks": 720' out || wrong "--keep-going did not go on: $(cat out err)"
grep -q full.spade err || wrong "--keep-going does not say that the recording broke"
good replay full.spade --verify
[ $result -eq 0 ] && echo "recording.sh: recordings keep what they promise"
exit $result
