#!/bin/sh
# test: long
# Shared results as a classroom has them: two stations with files of their own send a hundred attempts each to a server that
# is stopped, killed, frozen and started again meanwhile, by programs that are killed as they send; in the end each attempt is
# there once, whole. Drives go on, and say so once, when the server is away, refuses the password or may only be read. A
# list by the server's address is the list of a file with the same attempts.
. "$(dirname "$0")/common.inc"

server=$(mktemp -u /tmp/spadework-pg-XXXXXX)
postgres() {
    sh "$root/tests/support/postgres.sh" "$1" "$server"
}
ask() {
    echo "$1" | postgres sql
}
finish() {
    postgres drop
    tidy
}
trap finish EXIT
postgres start
started=$?
[ "$started" != 77 ] || { echo "there is no PostgreSQL here: not tested" && exit 77; }
[ "$started" = 0 ] || { echo "the server does not start" && exit 1; }
url="postgresql://station@/spadework?host=$server"
with="--results $url"
attempts=100 # of each station
station() {
    export XDG_DATA_HOME="$work/station$1"
}
exits() {
    wanted=$1
    shift
    run "$@"
    [ "$code" -eq "$wanted" ] || wrong "exit $code, not $wanted: spadework $*: $(cat err)"
}
says() {
    grep -qF -- "$1" out err || wrong "does not say '$1': $(cat out err)"
}

# attempts STATION FROM COUNT: a class file with them; a metric's value names its attempt.
class_file() {
    awk -v station="$1" -v from="$2" -v count="$3" 'BEGIN {
        printf "{\"format\":\"spadework-class\",\"version\":1,\"class\":\"Spring\",\"trainees\":[{\"name\":\"T%d\",\"attempts\":[", station
        for (n = from; n < from + count; n++) {
            printf "%s{\"uuid\":\"%08x-0000-4000-8000-%012x\",\"scene\":\"trench\",\"title\":\"A trench\",\"course\":\"excavator\",", (n > from ? "," : ""), station, n
            printf "\"started\":\"2026-11-%02dT1%d:%02d:00Z\",\"duration_s\":%.17g,\"points\":%.17g,", 1 + n % 28, station, n % 60, n / 3, n % 600 / 7
            printf "\"passed\":%s,\"finished\":true,\"end\":\"done\",\"metrics\":[", n % 2 ? "true" : "false"
            for (k = 0; k < 40; k++) printf "%s{\"name\":\"figure_%02d\",\"unit\":\"m\",\"value\":%d}", (k ? "," : ""), k, n
            printf "],\"scores\":["
            for (k = 0; k < 8; k++) printf "%s{\"label\":\"row %d\",\"group\":\"work\",\"weight\":12.5,\"value\":%d,\"share\":0.5,\"points\":6.25}", (k ? "," : ""), k, n
            printf "]}"
        }
        printf "]}]}\n"
    }'
}

# 1. Two stations drive, a server comes and goes. A program that is killed as it writes leaves its part unadded; it is
# imported again, as a drive that was not confirmed would be driven again.
work_station() {
    station "$1"
    n=0
    while [ $n -lt $attempts ]; do
        class_file "$1" $n 10 >"part$1.json"
        if "$spadework" results import-class "part$1.json" $with >/dev/null 2>>"told$1"; then
            n=$((n + 10))
        fi
        timeout -s KILL 0.0$((1 + n % 9)) "$spadework" results send $with >/dev/null 2>&1
        timeout -s KILL 0.$((1 + n % 3)) "$spadework" results send $with >/dev/null 2>&1
    done
    return 0
}
work_station 1 2>/dev/null &
one=$!
work_station 2 2>/dev/null &
two=$!
for verb in kill stop freeze kill stop kill; do
    sleep 0.7
    postgres $verb 2>/dev/null
    sleep 0.5
    case $verb in
    freeze) postgres thaw ;;
    *) postgres again ;;
    esac
done
wait $one $two
for name in 1 2; do
    station $name
    exits 0 results send $with
    says "0 waiting"
done
same() {
    found=$(ask "$1")
    [ "$found" = "$2" ] || wrong "$1: $found, not $2"
}
same "SELECT count(*), count(DISTINCT uuid) FROM attempt" "200|200"
same "SELECT count(*), sum(value) FROM attempt_metric" "8000|$((2 * 40 * 4950))"
same "SELECT count(*), sum(value) FROM attempt_score" "1600|$((2 * 8 * 4950))"
same "SELECT count(*) FROM attempt a WHERE (SELECT count(*) FROM attempt_metric m WHERE m.attempt = a.id AND m.value = ('x' || right(a.uuid, 8))::bit(32)::int) <> 40" 0
same "SELECT count(*) FROM membership" 2
same "SELECT passed, best FROM course_progress p JOIN trainee t ON t.id = p.trainee WHERE name = 'T1'" \
    "2026-11-02T11:01:00Z|14.142857142857142"

# 2. The list by the address is that of a file with the same attempts, on both stations and on a new one.
for name in 1 2; do
    class_file $name 0 $attempts >all.json
    exits 0 results import-class all.json --results plain.db
done
exits 0 results --csv --results plain.db
sort out >plain.csv
"$spadework" results trainees --class Spring --results plain.db >plain.txt
for name in 1 2 3; do
    station $name
    exits 0 results --csv $with
    sort out | cmp -s - plain.csv || wrong "station $name lists something else"
    "$spadework" results trainees --class Spring $with | cmp -s - plain.txt || wrong "station $name: another class"
done
"$spadework" results progress T1 way.svg --results plain.db >/dev/null
"$spadework" results progress T1 way2.svg $with >/dev/null
cmp -s way.svg way2.svg || wrong "the progress is another picture"

# 3. Drives. A server that is away costs no drive, is told once, and gets all when it is back.
drive() {
    exits 0 run free --headless --operator auto --seconds 0.2 --trainee Ann --results "$@"
}
station 4
drive "$url"
[ ! -s err ] || wrong "it tells of a server that is there: $(cat err)"
postgres stop
drive "$url"
[ "$(grep -c "$server" err)" = 1 ] || wrong "not told once: $(cat err)"
exits 0 results $with
says "1 result waits here for the server"
exits 4 results send $with
says "0 sent, 1 waiting"
exits 0 results class add Spring Ann $with
postgres again
postgres freeze
began=$(date +%s)
drive "$url"
[ $(($(date +%s) - began)) -le 9 ] || wrong "a frozen server holds a drive up"
says "does not answer in time"
postgres thaw
station 6
drive "postgresql://locked:wrong@/spadework?host=$server"
says "password authentication failed"
grep -q wrong err && wrong "it prints the password"
drive "postgresql://reader@/spadework?host=$server"
says "permission denied"
ask "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
station 5
exits 0 results --trainee T2 --results "postgresql://reader@/spadework?host=$server"
[ "$(grep -c T2 out)" = $attempts ] || wrong "who may only read does not see all"
drive "postgresql://reader@/spadework?host=$server"
says "permission denied"
same "SELECT count(*) FROM attempt a JOIN trainee t ON t.id = a.trainee WHERE name = 'Ann'" 1
for name in 5 6 4; do
    station $name
    exits 0 results send $with
    says "0 waiting"
done
same "SELECT count(*), count(DISTINCT uuid) FROM attempt a JOIN trainee t ON t.id = a.trainee WHERE name = 'Ann'" "6|6"
exits 0 results trainees --class Spring $with
says "Ann "

# 4. Who is deleted here is deleted there; his recordings are told of where they lie.
exits 0 run free --headless --operator auto --seconds 0.2 --trainee Bea --record bea.spade $with
exits 0 station init "Simulator 4"
exits 0 run free --headless --operator auto --seconds 0.2 --trainee Bea --keep $with
set -- "$XDG_DATA_HOME"/spadework/recordings/free-*.spade
kept=$1
[ -f "$kept" ] || wrong "the recording is not kept"
station 5
exits 0 results delete Bea --dry-run $with
says "Simulator 4: 1 attempt, 1 recording"
same "SELECT count(*) FROM trainee WHERE name = 'Bea'" 1
exits 0 results delete Bea $with
says "deleted on the server; other stations follow when they next reach it"
says "recordings that bear the name are left, see above"
[ -f "$kept" ] || wrong "a recording of another station was deleted"
station 4
exits 2 results --trainee Bea $with
same "SELECT count(*) FROM trainee WHERE name = 'Bea'" 0
exits 0 results $with # where it lies, it is told until it is deleted
says "2 recordings of people who were deleted at another station are left here"
exits 0 results purge --dry-run $with
says "would delete $kept"
[ -f "$kept" ] || wrong "a dry run deleted a recording"
exits 0 results purge $with
says "deleted $kept"
says "left, since it is not in the folder of recordings: $work/bea.spade"
[ ! -e "$kept" ] || wrong "the recording is still there"
rm bea.spade
exits 0 results $with
grep -q "left here" err && wrong "it tells of recordings that are gone: $(cat err)"
# Nobody brings her back by an old file, and a server with a trigger is refused.
class_file 8 0 1 | sed 's/"T8"/"Bea"/' >bea.json
exits 0 results import-class bea.json $with
says "left out: 1 attempts that began before their trainees were deleted here"
same "SELECT count(*) FROM trainee WHERE name = 'Bea'" 0
ask "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN NEW.score = 100; RETURN NEW; END \$\$; CREATE TRIGGER tt BEFORE INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION f()"
exits 1 results $with
says "results hold no such trigger as tt on the table attempt"
ask "DROP TRIGGER tt ON attempt"
exits 0 results $with

# 5. What is no address of ours.
exits 2 results --results "postgresql://ann:secret@host/x?nonsense=1"
grep -q secret err && wrong "it prints the password"
exits 2 results send --results plain.db
ask "CREATE SCHEMA foreigners AUTHORIZATION station; CREATE TABLE foreigners.invoices(id int)"
exits 1 results --results "$url&options=-csearch_path%3Dforeigners"
says "is no database of results"
same "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = 'foreigners'" 1

# 6. How fast: what the room's README says is from here.
class_file 6 0 1000 | sed 's/"Spring"/"Autumn"/' >many.json
station 7
postgres stop
exits 0 results import-class many.json $with
postgres again
began=$(date +%s%N)
exits 0 results send $with
took=$((($(date +%s%N) - began) / 1000000))
says "0 waiting"
echo "1000 attempts with 40 figures and 8 rows each are sent in $took ms"
exit $result
