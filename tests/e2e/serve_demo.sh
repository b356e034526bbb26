#!/bin/sh
# A look at a station as `sh trainer/run.sh serve --demo` gives it: with a broker and a database in a temporary folder, the
# classroom's page shows the station, its attempts are in the database, and nothing is left behind.
. "$(dirname "$0")/common.inc"
for tool in curl mosquitto initdb; do
    PATH=$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':') command -v $tool >/dev/null 2>&1 ||
        { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done
unset http_proxy HTTP_PROXY
token=0123456789abcdef0123
export TMPDIR="$work"
chmod 755 "$work" # the database's own user goes through it
sh "$root/trainer/serve_demo.sh" "$spadework" serve --demo --console-token $token >out 2>err &
program=$!

# until TEXT COMMAND...: waits for 40 s.
until_true() {
    told=$1
    shift
    for _ in $(seq 400); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    wrong "never came true: $told: $(cat err)"
}
order() {
    curl -s -m 10 -H "Authorization: Bearer $token" -d "$1" "$url/command" | grep -q accepted || wrong "not taken: $1"
}
shows_station() {
    curl -s -m 10 -H "Authorization: Bearer ${classroom##*#}" "${classroom%%/#*}/stations" | grep -q '"demo"'
}
has_attempt() {
    [ "$(psql -X -A -t -h "$work"/*/results -U station -d spadework -c 'SELECT count(*) FROM attempt')" -gt 0 ]
}
until_true "the page's address" grep -q 'console: http' err
url=$(sed -n 's,^spadework: the instructor.s console: \(http://[^#]*\)/#.*,\1,p' err)
classroom=$(sed -n 's,.*; the classroom: \(http://.*\),\1,p' err)
until_true "the classroom shows the station" shows_station
sleep 1
order '{"command":"restart"}'
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')
until_true "the attempt is in the database" has_attempt
order '{"command":"end"}'
wait "$program" || wrong "ended with $?: $(tail -n 3 err)"
program=
for left in "$work"/*; do
    case ${left##*/} in out | err) ;; *) wrong "left behind: $left" ;; esac
done
exit $result
