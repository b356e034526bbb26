#!/bin/sh
# test: long
# A station in a classroom, end to end, with a real broker: everything it sends fits the schema; each event comes through once,
# whether the broker goes and comes back or stands still; a broker that refuses, is full or cannot be trusted is told once and holds
# nothing up; who is killed leaves a last will; orders are taken once, answered, refused.
. "$(dirname "$0")/common.inc"
PATH=$PATH:/usr/sbin
for tool in mosquitto mosquitto_sub mosquitto_pub mosquitto_passwd openssl sqlite3 python3; do
    command -v $tool >/dev/null 2>&1 || { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done
schema=$root/data/classroom/messages.schema.json
. "$root/tests/e2e/broker.inc"
ear=
finish() {
    for one in $server $ear; do
        kill -CONT "$one" 2>/dev/null
        kill "$one" 2>/dev/null
    done
    tidy
}
trap finish EXIT

# serve LINE...: a broker with these further lines, which keeps what it knows.
serve() {
    serve_broker "persistence true" "persistence_location $work/" "log_type information" "$@"
}

# begin ARGS...: the program in the background, as the station `seat-1`.
begin() {
    "$spadework" "$@" --headless --station seat-1 >out 2>err &
    program=$!
}

# told COUNT PATTERN: so many lines of the program's stderr.
told() {
    count=$(grep -c -e "$2" err)
    [ "$count" -eq "$1" ] || wrong "told $count times, wanted $1: $2: $(cat err)"
}

# once COUNT: the events of the drive came through once each, `COUNT` at least.
once() {
    python3 - "$1" <<'END' || wrong "events were lost or came twice"
import json
import sys

events = [json.loads(line.split(" ", 1)[1]) for line in open("heard") if line.split(" ", 1)[0].endswith("/event")]
numbers = [event["number"] for event in events]
fits = numbers == list(range(1, len(numbers) + 1)) and len({event["drive"] for event in events}) == 1
if not fits or len(numbers) < int(sys.argv[1]):
    print(numbers)
    sys.exit(1)
END
}

listen() {
    mosquitto_sub -h 127.0.0.1 -p "$port" -i ear -c -q 2 -v -t 'spadework/#' "$@" >heard 2>/dev/null &
    ear=$!
}

deaf() {
    kill "$ear"
    wait "$ear" 2>/dev/null
    ear=
}

# send LEAF PAYLOAD [OPTION...]
send() {
    leaf=$1 payload=$2
    shift 2
    mosquitto_pub -h 127.0.0.1 -p "$port" -q 1 -t "spadework/seat-1/$leaf" -m "$payload" "$@" || wrong "cannot send $leaf"
}

# Faults all the time, for events all the time.
awk 'BEGIN { print "t,fault,part,value"; for (k = 1; k < 60; k++) printf "%.1f,swing,,%g\n", k / 2, k % 2 ? 0.5 : 1 }' >orders.csv
"$spadework" run free --headless --operator auto --seconds 30 --orders orders.csv --record plain.spade >out 2>err ||
    wrong "no plain run: $(cat err)"

# The broker goes, comes back, and stands still; the drive goes on, to the same bits.
serve "allow_anonymous true"
listen
sleep 0.5
started=$(date +%s)
begin run free --operator auto --seconds 30 --orders orders.csv --record linked.spade --broker "mqtt://127.0.0.1:$port"
until_line '/event .*"number":4,' heard
send watch '{"version":1,"seconds":2}'
until_line '/ground ' heard
send command '{"version":1,"id":"mark-1","command":"mark","text":"Länger graben"}'
send command '{"version":1,"id":"mark-1","command":"mark","text":"Länger graben"}'
until_line '/answer .*"mark-1"' heard
end_broker
until_line 'closed the connection' err
sleep 4
serve "allow_anonymous true"
until_line '/event .*"number":20,' heard
kill -STOP "$server"
sleep 4
kill -CONT "$server"
ended
took=$(($(date +%s) - started))
[ $took -lt 60 ] || wrong "30 s took $took s"
sleep 1
deaf
told 2 'broker 127.0.0.1:[0-9]*: connected'
told 1 'closed the connection; it is tried again'
[ "$(grep -c '^spadework: broker' err)" -eq 3 ] || wrong "more was told: $(cat err)"
once 59
[ "$(grep -c '/event .*"mark"' heard)" -eq 1 ] || wrong "an order was taken twice"
[ "$(grep -c '/answer .*"id":"mark-1","taken":true' heard)" -ge 1 ] || wrong "no answer"
tail -n 1 heard | grep -q '"online":false' || wrong "it does not say goodbye: $(tail -n 1 heard)"
python3 "$root/tests/e2e/classroom_check.py" "$schema" <heard >checked || wrong "does not fit the schema: $(cat checked)"
for leaf in answer claim command event ground scenes state status view watch; do
    grep -q "$leaf=" checked || wrong "no $leaf was heard: $(cat checked)"
done
for recording in plain linked; do
    sqlite3 $recording.spade 'SELECT tick, hex(hash) FROM state ORDER BY tick' >$recording.hashes
done
[ -s plain.hashes ] && cmp -s plain.hashes linked.hashes || wrong "a broker changes the state"
run replay linked.spade --verify
[ $code -eq 0 ] || wrong "the recording does not verify: $(cat err)"
run replay linked.spade --list-marks
for text in 'broker: away' 'broker: back' 'mark: Länger graben'; do
    grep -q "$text" out || wrong "not in the recording: $text"
done

# What is no order is refused, logged and answered. Who is killed leaves a last will.
listen
send command '{"version":1,"id":"kept-1","command":"end"}' -r
begin run free --operator auto --seconds 60 --broker "mqtt://127.0.0.1:$port"
until_line '/state ' heard
until_line '/answer .*"id":"kept-1","taken":false,"error":"it was retained' heard
send command '' -r
send command 'nothing'
send command '{"version":1,"id":"dig-1","command":"dig"}'
send command '{"version":2,"id":"old-1","command":"end"}'
send command '{"version":1,"id":"load-1","command":"load","name":"trench","text":""}'
send command '{"version":1,"id":"hose-1","command":"fault","name":"hose","part":"","value":1}'
send command "{\"version\":1,\"id\":\"long-1\",\"command\":\"mark\",\"text\":\"$(printf '%3000s' x)\"}"
send watch '{"version":1,"seconds":600}'
for id in dig-1 old-1 load-1 hose-1; do
    until_line "/answer .*\"id\":\"$id\",\"taken\":false,\"error\":\"" heard
done
until_line '/answer .*"id":"".*3[0-9]* bytes were read' heard
until_line 'refused watch: seconds: 600 was read' err
for text in 'refused command: payload: byte' 'refused command dig-1: ' 'refused command old-1: version' 'refused command load-1: load' \
    'bytes were read; allowed are 2048'; do
    told 1 "$text"
done
kill -9 "$program"
wait "$program" 2>/dev/null
program=
until_line '/status .*"online":false' heard
deaf

# A station drives what it is sent.
listen
begin serve --operator auto --broker "mqtt://127.0.0.1:$port"
until_line '/status .*"phase":"waiting"' heard
until_line '/scenes .*"name":"trench"' heard
send command '{"version":1,"id":"s-1","command":"freeze"}'
send command '{"version":1,"id":"s-2","command":"load","name":"free","text":"Ana"}'
until_line '/answer .*"id":"s-1","taken":false' heard
until_line '/status .*"phase":"driving","scene":"free","title":"Sandbox","trainee":"Ana"' heard
send command '{"version":1,"id":"s-3","command":"freeze"}'
until_line '/status .*"phase":"frozen"' heard
first=$(grep '/status .*"phase":"frozen"' heard | sed 's/.*"drive":"\([^"]*\)".*/\1/')
send command '{"version":1,"id":"s-6","command":"return","value":1}'
until_line '/answer .*"id":"s-6","taken":false,"error":"snapshot 1: there are 0"' heard
send command '{"version":1,"id":"s-7","command":"restart"}'
until_line '/answer .*"id":"s-7","taken":true' heard
until_line "/event .*\"drive\":\"$first\".*\"kind\":\"restart\"" heard
sleep 0.5
[ "$(grep '/status ' heard | tail -n 1 | grep -c "\"drive\":\"$first\"")" -eq 0 ] || wrong "what begins again is no other drive"
! grep -q '"kind":"return"' heard || wrong "what was refused is told as obeyed"
send command '{"version":1,"id":"s-4","command":"end"}'
until_line '/status .*"phase":"over"' heard
until_line '/answer .*"id":"s-4","taken":true' heard
send command '{"version":1,"id":"s-5","command":"end"}' # which closes no station
until_line '/answer .*"id":"s-5","taken":false,"error":"nobody drives here' heard
send command '{"version":1,"id":"s-8","command":"load","name":"no-such-scene","text":""}'
until_line '/answer .*"id":"s-8","taken":false,"error":"no scene named no-such-scene' heard
send command '{"version":1,"id":"s-9","command":"load","name":"free","text":"","value":1}'
until_line '/answer .*"id":"s-9","taken":true' heard
until_line '/state .*"phase":"frozen","time":0.0' heard
kill "$program"
ended
sleep 0.5
deaf
grep -v '/command ' heard | python3 "$root/tests/e2e/classroom_check.py" "$schema" >checked || wrong "does not fit: $(cat checked)"
end_broker

# short ARGS...: a drive of 6 s with a broker that does not let it in goes on to its end and tells why, once.
short() {
    reason=$1
    shift
    started=$(date +%s)
    begin run free --operator auto --seconds 6 "$@"
    ended
    took=$(($(date +%s) - started))
    [ $took -lt 40 ] || wrong "6 s took $took s: $reason"
    told 1 "^spadework: broker 127.0.0.1:$port: .*$reason.*; it is tried again$"
    [ "$(grep -c '^spadework: broker' err)" -eq 1 ] || wrong "more was told: $(cat err)"
}

short 'Connection refused' --broker "mqtt://127.0.0.1:$port" # nobody listens

# One connection alone, which somebody else has.
serve "allow_anonymous true" "max_connections 1"
listen
until_line '/status ' heard # what was retained
short 'closed the connection before it let this link in' --broker "mqtt://127.0.0.1:$port"
deaf
end_broker

# Passwords.
mosquitto_passwd -b -c passwords ana right
chmod 600 passwords
serve "allow_anonymous false" "password_file $work/passwords"
(umask 077 && echo wrong >wrong.txt && echo right >right.txt)
short 'refuses user and password' --broker "mqtt://ana@127.0.0.1:$port" --broker-password-file wrong.txt
! grep -q 'wrong' err || wrong "a password is told: $(cat err)"
begin run free --operator auto --seconds 3 --broker "mqtt://ana@127.0.0.1:$port" --broker-password-file right.txt
ended
told 1 'connected$'
chmod 644 right.txt
run run free --headless --seconds 1 --broker "mqtt://ana@127.0.0.1:$port" --broker-password-file right.txt
[ $code -eq 1 ] && grep -q 'others may read this password' err || wrong "an open password file: $code $(cat err)"
end_broker

# TLS: with the right authority, with another one, with the name of another place.
# authority NAME; certificate NAME ALTERNATIVE
authority() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem" 2>/dev/null || wrong "no authority"
}
certificate() {
    echo "subjectAltName=$2" >extensions
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2>/dev/null &&
        openssl x509 -req -in "$1.csr" -CA ours.pem -CAkey ours.key -CAcreateserial -days 2 -extfile extensions -out "$1.pem" \
            2>/dev/null || wrong "no certificate"
}
authority ours
authority theirs
certificate here IP:127.0.0.1
certificate elsewhere DNS:elsewhere.example
serve "allow_anonymous true" "certfile $work/here.pem" "keyfile $work/here.key"
begin run free --operator auto --seconds 3 --broker "mqtts://127.0.0.1:$port" --broker-ca ours.pem
ended
told 1 'connected$'
short 'certificate verify failed' --broker "mqtts://127.0.0.1:$port" --broker-ca theirs.pem
end_broker
serve "allow_anonymous true" "certfile $work/elsewhere.pem" "keyfile $work/elsewhere.key"
short 'certificate verify failed' --broker "mqtts://127.0.0.1:$port" --broker-ca ours.pem
end_broker

# The command line.
refused() {
    says=$1
    shift
    run run free --headless --seconds 1 "$@"
    [ $code -eq 2 ] && grep -q -e "$says" err || wrong "$*: $code $(cat err)"
}
refused 'goes with --broker URL' --station seat-1
refused 'allowed are 1..40 of a-z, 0-9, - and _' --broker mqtt://127.0.0.1 --station 'Seat 1'
refused 'allowed are 1..40' --broker mqtt://127.0.0.1 --station aaaaaaaaaabbbbbbbbbbccccccccccddddddddddx
refused 'allowed is mqtt://' --broker http://127.0.0.1
exit $result
