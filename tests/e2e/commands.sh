#!/bin/sh
# The commands without a window: what they print, their exit codes, one line on stderr for each failure.
. "$(dirname "$0")/common.inc"

# good ARGS...: must end with 0 and leave stderr empty.
good() {
    run "$@"
    [ $code -eq 0 ] || wrong "$*: exit $code: $(cat err)"
    [ ! -s err ] || wrong "$*: says on stderr: $(cat err)"
}
# bad CODE TEXT ARGS...: must end with CODE and one line on stderr that holds TEXT.
bad() {
    wanted=$1
    text=$2
    shift 2
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
}
# holds TEXT: what was printed last has it.
holds() {
    grep -q -e "$1" out || wrong "'$1' is not in the output: $(cat out)"
}

# Help, version, lists.
good --help
holds 'spadework run SCENE'
for command in menu run replay resume check list export calibrate new reference preview model doctor; do
    good $command --help
    holds "usage: spadework $command"
done
good --version
good list scenes
holds '^trench .*trench'
for kind in machines soils controls; do
    good list $kind
    [ "$(wc -l <out)" -ge 1 ] || wrong "list $kind: nothing"
done
good list soils --json
holds '"name": "loam"'

# Wrong usage.
bad 2 'unknown command dig' dig
bad 2 'unknown option --deep' run trench --deep
bad 2 'SCENE' run
bad 2 '0 to 65535' run trench --headless --console 65536
bad 2 'goes with --console' run trench --headless --console-token 0123456789abcdef
bad 2 'allowed are 16..64' serve --headless --console-token short
bad 2 'numeric address' serve --demo --console-address localhost
bad 2 '--seconds abc' run trench --headless --seconds abc

# Bad files.
bad 1 trench run nosuchscene --headless
bad 1 nosuch.yaml run ./nosuch.yaml --headless
bad 1 nosuch.csv run trench --headless --operator nosuch.csv
printf 't,swing,lever\n0,0,0\n' >wrong.csv
bad 1 wrong.csv:1: run trench --headless --operator wrong.csv
bad 1 nosuchmap run trench --headless --operator gamepad --controls nosuchmap --seconds 0.1
bad 2 'ends in .yaml' calibrate levers
bad 2 'a file to write' calibrate
: >there.yaml
bad 4 'there.yaml: exists already' calibrate there.yaml
bad 4 'no-folder/levers.yaml: cannot be written' calibrate no-folder/levers.yaml
bad 1 'no controls named lam' calibrate levers.yaml --controls lam
bad 2 ground.size_x run trench --headless --set ground.size_x=ten

# check: every shipped file is good, and a broken one is named by line and column.
good check "$root"/data/scenes/*.yaml "$root"/data/machines/*.yaml "$root"/data/soils/*.yaml "$root"/data/controls/*.yaml
sed 's/bank_density:.*/bank_density: heavy/' "$root/data/soils/loam.yaml" >broken.yaml
run check broken.yaml "$root/data/soils/loam.yaml"
[ $code -eq 1 ] || wrong "check of a broken file: exit $code"
grep -q '^broken.yaml:[0-9]*:[0-9]*: ' err || wrong "check names no line and column: $(cat err)"
grep -q 'loam.yaml: good' out || wrong "check stops at the first broken file"
bad 1 nosuch.yaml check nosuch.yaml
sed 's/link_length: .*/link_length: 0.06/' "$root/data/machines/excavator-22t.yaml" >unlinked.yaml
bad 1 'linkage cannot close' check unlinked.yaml

# run: recording, telemetry, summary; the seed and --set matter; --seconds is exact.
good run trench --headless --operator auto --seconds 2 --threads 2 --record a.spade --telemetry a.csv --json
holds '"ticks": 120'
holds '"mass_constant": true'
[ "$(wc -l <a.csv)" -eq 121 ] || wrong "telemetry of 120 ticks has $(wc -l <a.csv) lines"
[ "$(cut -d , -f 33 a.csv | sed 1d | sort -u | wc -l)" -eq 1 ] || wrong "total_mass changes"
hash=$(grep '"hash"' out)
good run trench --headless --operator auto --seconds 2 --threads 1 --telemetry b.csv --json
[ "$(grep '"hash"' out)" = "$hash" ] || wrong "the number of threads changes the result"
for file in a b; do
    rev $file.csv | cut -d , -f 4- | rev >$file.state
done
cmp a.state b.state || wrong "telemetry differs between two equal runs"
good run trench --headless --operator auto --seconds 2 --seed 99 --json
[ "$(grep '"hash"' out)" != "$hash" ] || wrong "--seed changes nothing"
good run trench --headless --operator auto --seconds 2 --solver p2 --json
[ "$(grep '"hash"' out)" != "$hash" ] || wrong "--solver changes nothing"
good run trench --headless --operator auto --seconds 0.5 --set rates.tick_rate=120 --json
holds '"ticks": 60'

# A script drives: its levers arrive, and it ends the run.
printf 't,swing,boom\n0,0,0.5\n0.5,0.25,0\n1,0,0\n' >script.csv
good run free --headless --operator script.csv --record script.spade --json
holds '"ticks": 60'
hash=$(grep '"hash"' out)
good replay script.spade --verify
holds '60 ticks'

# An instructor's orders: given at their times, recorded, replayed to the bit; a bad list is refused at its place.
printf 't,fault,part,value\n0.2,valve,boom,1\n0.25,heat,,20\n0.8,valve,boom,0\n' >orders.csv
good run free --headless --operator script.csv --orders orders.csv --record orders.spade --json
[ "$(grep '"hash"' out)" != "$hash" ] || wrong "orders change nothing"
good replay orders.spade --verify --keyframes
good export orders.spade --events orders-events.csv
[ "$(grep -c '^"fault",' orders-events.csv)" -eq 3 ] || wrong "events of orders: $(cat orders-events.csv)"
good resume orders.spade --at 0.5 --headless --operator auto --seconds 0.5 --orders orders.csv --record branch.spade
good replay branch.spade --verify --keyframes
good report orders.spade --no-compare -o orders.html
grep -q 'the valve is stuck: boom' orders.html || wrong "the debrief tells of no order"
printf 't,fault,part,value\n0.2,valve,blade,1\n' >bad.csv
bad 1 'bad.csv:2:11: read "blade"; fault valve: this machine has no such part, allowed swing, boom' \
    run free --headless --operator script.csv --orders bad.csv
bad 1 none.csv run free --headless --operator script.csv --orders none.csv

# A keyboard can only be read through a window.
bad 2 --headless run trench --headless --operator keyboard --seconds 0.2

# A gamepad that is not there.
[ -e /dev/input/js0 ] || bad 4 'no gamepad' run trench --headless --operator gamepad --seconds 0.1

# A motion platform: where there is none nothing is lost; a target that is none, and a host that nobody knows.
good run free --headless --operator script.csv --motion 127.0.0.1:4600
bad 2 'HOST:PORT is expected' run free --headless --operator script.csv --motion 127.0.0.1
bad 2 '1 to 65535' run free --headless --operator script.csv --motion 127.0.0.1:70000
bad 4 'the host is not known' run free --headless --operator script.csv --motion no-such-host.invalid:4600

# What cannot be written.
bad 4 no/such/folder run trench --headless --seconds 0.1 --telemetry no/such/folder/t.csv
bad 4 no/such/folder run trench --headless --seconds 0.1 --record no/such/folder/r.spade
echo precious >mine.txt
run run trench --headless --seconds 0.1 --record mine.txt
[ $code -ne 0 ] && [ "$(cat mine.txt)" = precious ] || wrong "--record wrote over a file"
if [ -w /dev/full ]; then
    for command in --help 'list scenes --json' 'run trench --headless --seconds 0.1'; do
        # shellcheck disable=SC2086 # a list of words
        "$spadework" $command >/dev/full 2>err
        code=$?
        [ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] || wrong "$command to a full disk: exit $code: $(cat err)"
    done
    bad 4 /dev/full run trench --headless --seconds 2 --telemetry /dev/full
fi

# Interrupted: the run ends in good order and its recording is whole.
"$spadework" run trench --headless --operator auto --seconds 600 --record cut.spade >out 2>err &
program=$!
for _ in $(seq 100); do
    [ -s cut.spade ] && break
    sleep 0.1
done
sleep 1
kill -TERM $program
wait $program
code=$?
program=
[ $code -eq 0 ] || wrong "SIGTERM: exit $code: $(cat err)"
holds interrupted
good check cut.spade
[ $result -eq 0 ] && echo "commands.sh: the commands answer as they should"
exit $result
