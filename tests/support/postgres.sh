#!/bin/sh
# A PostgreSQL server of a test's own, in a folder of its own, on a socket there: postgres.sh start|stop|kill|again|freeze|thaw|drop FOLDER.
#   start   makes FOLDER with a database `spadework` of the role `station`; the role `reader` may only read, the role `locked`
#           has the password "right". 77: there is no PostgreSQL here. Its address: postgresql://station@/spadework?host=FOLDER
#   stop    in good order; `kill` with SIGKILL, all of its processes; `again` starts after either
#   freeze, thaw   SIGSTOP and SIGCONT to all of its processes
#   drop    stops it and deletes FOLDER
#   sql     runs what stands on standard input
# The server refuses to run as root: then it runs as the user postgres, which Debian's package makes. Nothing is forced to the
# disk: what a test kills are processes, not the computer.
set -u
verb=$1
folder=$2
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')
export LC_ALL=C.UTF-8
unset PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD PGOPTIONS PGSERVICE
command -v initdb >/dev/null || exit 77
if [ "$(id -u)" = 0 ]; then
    id postgres >/dev/null 2>&1 || exit 77
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
else
    as=
fi
cd /

processes() {
    leader=$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null) || return
    echo "$leader" "$(cat "/proc/$leader/task/$leader/children" 2>/dev/null)"
}
begin() {
    for try in 1 2 3 4 5 6 7 8 9 10; do
        # shellcheck disable=SC2086
        $as pg_ctl -D "$folder/data" -l "$folder/log" -w -t 20 start >/dev/null 2>&1 </dev/null && return
        sleep 0.3 # processes that were killed may still hold its memory
    done
    cat "$folder/log"
    exit 1
}
ask() {
    psql -q -X -A -t -v ON_ERROR_STOP=1 -h "$folder" -U postgres "$@"
}

case $verb in
start)
    mkdir -p "$folder" || exit 1
    [ -z "$as" ] || chown postgres:postgres "$folder"
    $as initdb -D "$folder/data" -U postgres -E UTF8 --locale=C.UTF-8 -A trust --no-sync >/dev/null || exit 1
    { printf 'local all locked scram-sha-256\n' && cat "$folder/data/pg_hba.conf"; } >"$folder/hba" &&
        cat "$folder/hba" >"$folder/data/pg_hba.conf"
    printf "listen_addresses = ''\nunix_socket_directories = '%s'\nfsync = off\nshared_buffers = 16MB\n" "$folder" \
        >>"$folder/data/postgresql.conf"
    begin
    ask -d postgres -c "CREATE ROLE station LOGIN" -c "CREATE ROLE reader LOGIN" \
        -c "CREATE ROLE locked LOGIN PASSWORD 'right'" -c "CREATE DATABASE spadework OWNER station"
    ;;
stop) $as pg_ctl -D "$folder/data" -w -m fast stop >/dev/null ;;
kill) kill -9 $(processes) ;;
freeze) kill -STOP $(processes) ;;
thaw) kill -CONT $(processes) ;;
again) begin ;;
sql) ask -d spadework ;;
drop)
    kill -CONT $(processes) 2>/dev/null
    $as pg_ctl -D "$folder/data" -w -m immediate stop >/dev/null 2>&1
    rm -rf "$folder"
    ;;
*) exit 2 ;;
esac
