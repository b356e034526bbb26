#!/bin/sh
# test: long
# The benchmarks run and print what they should, tiny; no time is looked at.
. "$(dirname "$0")/common.inc"
bench=${BUILD_DIR:-$root/build/release}/bin/bench
[ -x "$bench" ] || { echo "bench.sh: $bench is missing: build it first" && exit 1; }

# rows COUNT ARGS...: must end with 0 and print a JSON array of COUNT rows that have the agreed keys.
rows() {
    wanted=$1
    shift
    "$bench" run "$@" --json >out 2>err || wrong "run $*: exit $?: $(cat err)"
    for key in name n threads solver ms_median ms_p99 ns_per_particle bytes_per_particle; do
        count=$(grep -c "\"$key\":" out)
        [ "$count" -eq "$wanted" ] || wrong "run $*: key $key comes $count times, $wanted expected"
    done
}
# bad CODE TEXT ARGS...: must end with CODE and one line on stderr that holds TEXT.
bad() {
    wanted=$1
    text=$2
    shift 2
    "$bench" "$@" >out 2>err
    code=$?
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
}

"$bench" list >out || wrong "list: exit $?"
for name in solve scale ode tick record machine play door render window; do
    grep -q "^$name " out || wrong "list does not name $name"
done

rows 4 solve --n 300 --seconds 0.1 --threads 2
# Memory: what a settled heap of 10,000 grains takes with its lists and its site is below what it took when this was written, by 1 %.
rows 2 solve --n 10000 --seconds 0.02 --threads 1
bytes=$(sed -n 's/.*"bytes_per_particle": \([0-9]*\).*/\1/p' out | head -n 1)
[ "$bytes" -le 403 ] || wrong "a grain of a settled heap takes $bytes bytes, 403 are allowed"
rows 2 solve --n 1 --seconds 0.1 --threads 1 --solver p2
rows 2 solve --n 300 --seconds 0.1 --threads 1 --solver gs
rows 1 scale --n 200 --seconds 0.1 --threads 1
rows 4 ode --n 200 --seconds 0.1 --threads 2
grep -q '"ode_over_soil": [0-9]' out || wrong "ode tells no ratio"
rows 1 tick --seconds 0.1 --threads 1
rows 1 tick --n 500 --seconds 0.1 --threads 1
[ "$(sed -n 's/.*"n": \([0-9]*\),.*/\1/p' out)" -ge 500 ] || wrong "tick --n 500 has fewer particles: $(cat out)"
rows 2 record --seconds 0.2 --threads 1
rows 7 machine --seconds 0.05 --threads 1
rows 3 play --only stuck,random-dozing --n 1 --seconds 1 --threads 2
for key in share_p99 goal_p99 share_p999 ode_ms listed_share worst_particles; do
    [ "$(grep -c "\"$key\": [0-9]" out)" -ge 1 ] || wrong "play tells no $key: $(cat out)"
done
grep -q '"name": "stuck-stick"' out || wrong "play --only stuck leaves the stick out: $(cat out)"
rows 2 play --only cycles-sand,stirred --n 1 --seconds 0.1 --threads 1
grep -q '"over_settled": [0-9]' out || wrong "play tells no ratio of stirred to settled: $(cat out)"
rows 9 door --seconds 0.1 --only stockpile
for key in kb_a_session ticks_per_cpu_s kb; do
    [ "$(grep -c "\"$key\": [0-9]" out)" -eq 1 ] || wrong "door tells no $key: $(cat out)"
done
"$bench" script 7 >seven.csv 2>err || wrong "script 7: exit $?: $(cat err)"
head -n 1 seven.csv | grep -q '^t,swing,' || wrong "script 7 prints no operator script: $(head -n 1 seven.csv)"
find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'bench-??????' -user "$(id -un)" -newer "$bench" 2>/dev/null | grep -q . &&
    wrong "record leaves a folder behind"
"$bench" run render --seconds 0.01 --threads 1 --json >out 2>err
case $? in
0) grep -q '"name": "render"' out || wrong "render prints no row: $(cat out)" ;;
4) [ "$(wc -l <err)" -eq 1 ] || wrong "render without OpenGL: not one line on stderr: $(cat err)" ;;
*) wrong "render: neither drawn nor told why not: $(cat err)" ;;
esac
bad 4 'no display' run window
SDL_VIDEODRIVER=offscreen "$bench" run window --seconds 0.5 --threads 1 --json >out 2>err
case $? in
0) for key in pictures_per_s simulation_share_of_clock lever_to_state_ms; do
    [ "$(grep -c "\"$key\":" out)" -eq 6 ] || wrong "window tells $key other than six times: $(cat out)"
done ;;
4) [ "$(wc -l <err)" -eq 1 ] || wrong "window without OpenGL: not one line on stderr: $(cat err)" ;;
*) wrong "window: neither driven nor told why not: $(cat err)" ;;
esac
"$bench" run solve --n 300 --seconds 0.1 --threads 1 >out 2>err || wrong "a table: exit $?: $(cat err)"
[ "$(wc -l <out)" -eq 3 ] || wrong "the table of solve has not two rows and a head: $(cat out)"

bad 2 'list, run or script' dance
bad 2 'list, run or script'
bad 2 'NAME' run
bad 2 'no benchmark named dig' run dig
bad 2 '--n x' run solve --n x
bad 2 '--n 0' run solve --n 0
bad 2 '--n 1.5' run solve --n 1.5
bad 2 '--threads 257' run solve --threads 257
bad 2 '--threads-counted 0' run scale --threads-counted 0
bad 2 '--threads-counted 257' run scale --threads-counted 257
bad 2 '--threads-counted 1.5' run scale --threads-counted 1.5
bad 2 '--threads-counted: its value' run scale --threads-counted
bad 2 'only scale' run solve --threads-counted 4
bad 2 'only scale' run scale --threads-counted 4 --solver p2
bad 2 '--seconds' run solve --seconds
bad 2 '--seconds nan' run solve --seconds nan
bad 2 '--solver fast' run solve --solver fast
bad 2 '--fast' run solve --fast
bad 2 '--only dig' run play --only dig
bad 2 '--only' run play --only
bad 2 '--only' run play --only trench,
bad 2 'script -1' script -1
bad 2 'list, run or script' script
SPADEWORK_DATA=/nonexistent bad 1 nonexistent run solve
if [ -w /dev/full ]; then
    "$bench" list >/dev/full 2>err
    [ $? -eq 4 ] || wrong "list to a full disk: exit is not 4"
fi
[ $result -eq 0 ] && echo "bench.sh: the benchmarks run"
exit $result
