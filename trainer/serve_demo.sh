#!/bin/sh
# A station for a look at it: sh trainer/serve_demo.sh PROGRAM serve --demo [ARGS...]
# Where mosquitto and PostgreSQL are installed it starts both on this computer alone, in a temporary folder that goes at the end,
# and the page of a classroom; the station then tells the broker how it stands, and its results go to the database.
set -u
PATH=$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')
program=$1
shift
folder=$(mktemp -d) || exit 4
chmod 755 "$folder"
broker= classroom= station= database= as=

say() {
    printf 'spadework: %s\n' "$*" >&2
}

end() {
    for process in $station $classroom $broker; do
        kill "$process" 2>/dev/null
        wait "$process" 2>/dev/null
    done
    # shellcheck disable=SC2086 # words
    [ -z "$database" ] || (cd / && $as pg_ctl -D "$folder/results/data" -w -m fast stop) >/dev/null 2>&1
    rm -rf "$folder"
}
trap end EXIT
trap '[ -z "$station" ] || kill "$station" 2>/dev/null' INT TERM HUP # it ends in good order; so does the rest then

# listens PORT: somebody does, on this computer.
listens() {
    grep -qi "0100007F:$(printf '%04X' "$1") .* 0A " /proc/net/tcp
}

# Takes the first of some ports that is free.
start_broker() {
    command -v mosquitto >/dev/null || return 1
    port=18830
    while listens $port && [ $port -lt 18850 ]; do
        port=$((port + 1))
    done
    printf 'listener %s 127.0.0.1\nallow_anonymous true\n' $port >"$folder/broker.conf"
    mosquitto -c "$folder/broker.conf" >"$folder/broker.log" 2>&1 &
    broker=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        listens $port && return 0
        sleep 0.2
    done
    say "the broker does not start: $(tail -n 1 "$folder/broker.log")"
    return 1
}

# PostgreSQL refuses to run as root: then it runs as the user postgres of Debian's package.
start_database() {
    command -v initdb >/dev/null || return 1
    if [ "$(id -u)" = 0 ]; then
        id postgres >/dev/null 2>&1 || return 1
        as='setpriv --reuid=postgres --regid=postgres --clear-groups'
    fi
    mkdir "$folder/results" || return 1
    [ -z "$as" ] || chown postgres:postgres "$folder/results"
    # shellcheck disable=SC2086 # words
    (
        cd / && export LC_ALL=C.UTF-8
        $as initdb -D "$folder/results/data" -U station -E UTF8 --locale=C.UTF-8 -A trust --no-sync &&
            printf "listen_addresses = ''\nunix_socket_directories = '%s'\n" "$folder/results" >>"$folder/results/data/postgresql.conf" &&
            $as pg_ctl -D "$folder/results/data" -l "$folder/results/log" -w -t 20 start &&
            $as createdb -h "$folder/results" -U station spadework
    ) >"$folder/database.log" 2>&1 && database=started && return 0
    say "the database does not start: $(tail -n 1 "$folder/database.log")"
    return 1
}

if start_broker; then
    set -- "$@" --broker "mqtt://127.0.0.1:$port" --station demo
    "$program" serve --classroom --broker "mqtt://127.0.0.1:$port" 2>"$folder/classroom.log" &
    classroom=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        grep -q 'http://' "$folder/classroom.log" && break
        sleep 0.2
    done
    say "a broker on port $port; $(sed -n 's/^spadework: //p' "$folder/classroom.log" | grep -m 1 'http://')"
else
    say "without a broker: mosquitto is not installed, or does not start"
fi
if start_database; then
    set -- "$@" --results "postgresql://station@/spadework?host=$folder/results"
    say "a database for results in $folder/results"
else
    say "without a database: PostgreSQL is not installed, or does not start"
fi
"$program" "$@" &
station=$!
wait "$station"
code=$?
# A signal to this script has ended the wait, not the station.
while kill -0 "$station" 2>/dev/null; do
    wait "$station"
    code=$?
done
station=
exit $code
