#!/bin/sh
# A look at a station as `sh trainer/run.sh serve --demo` gives it: run.sh hands over to trainer/serve_demo.sh, and there with a broker
# and a database in a temporary folder the classroom's page shows the station, its attempts are in the database, and nothing is left.
. "$(dirname "$0")/common.inc"

# What run.sh starts, in a tree of its own whose build, program and demonstration only say that they were called.
mkdir -p tree/trainer tree/build/release/bin
cp "$root/trainer/run.sh" tree/trainer
printf 'install_packages() { :; }\nbuild_preset() { echo "built $*"; }\n' >tree/trainer/setup.sh
printf '#!/bin/sh\necho "demonstration ${1##*/tree/} then: $(shift; echo "$*")"\n' >tree/trainer/serve_demo.sh
printf '#!/bin/sh\necho "program: $*"\n' >tree/build/release/bin/spadework
chmod +x tree/build/release/bin/spadework

# starts TEXT ARGS...: run.sh with these builds first, and then says TEXT.
starts() {
    wanted=$1
    shift
    said=$(sh tree/trainer/run.sh "$@" | tr '\n' ';')
    [ "$said" = "built release spadework;$wanted" ] || wrong "run.sh $*: $said"
}
starts 'demonstration build/release/bin/spadework then: serve --demo;' serve --demo
starts 'demonstration build/release/bin/spadework then: serve --demo --console 0;' serve --demo --console 0
starts 'demonstration build/release/bin/spadework then: serve --console 0 --demo;' serve --console 0 --demo
starts 'program: serve --demo --broker mqtt://other;' serve --demo --broker mqtt://other
starts 'program: serve --results other.db --demo;' serve --results other.db --demo
starts 'program: serve;' serve
starts 'program: run trench;' run trench
starts 'program: ;'
starts '' --build-only serve --demo
rm -rf tree

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
