#!/bin/sh
# test: long
# Stations that share a name, and stations that died, with a real broker: the second of a name says who has it and stays out, of
# those that start together exactly one stays, the page names both computers; a drive goes on when its name is lost; a station that
# was killed together with its broker is shown as silent within 10 s and counts among nobody's orders; an exercise is loaded, begun
# and ended on many stations at once, with what each of them answered; a station without a display says so at its start.
#   PICTURES  a folder that keeps the pictures (default: they are thrown away)
. "$(dirname "$0")/common.inc"
PATH=$PATH:/usr/sbin
for tool in curl python3 mosquitto mosquitto_pub mosquitto_sub; do
    command -v $tool >/dev/null 2>&1 || { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done
unset http_proxy HTTP_PROXY
pictures=${PICTURES:-$work}
token=0123456789abcdef0123
. "$root/tests/e2e/broker.inc"
classroom= others=
finish() {
    for one in $others $classroom $server; do
        kill -CONT "$one" 2>/dev/null
        kill "$one" 2>/dev/null
    done
    tidy
}
trap finish EXIT
broker=mqtt://127.0.0.1:$port

# ask PATH [CURL OPTIONS...]: the answer goes to `answer`, its code to $code.
ask() {
    path=$1
    shift
    code=$(curl -s -m 10 -o answer -w '%{http_code}' -H "Authorization: Bearer $token" "$@" "$url/$path")
}

# stations PYTHON: prints an expression of s, the stations by name, and o, what became of the last order by station.
stations() {
    ask orders && mv answer given
    ask stations
    python3 - "$1" <<'END'
import json
import sys

table, orders = json.load(open("answer")), json.load(open("given")) or []
s = {one["name"]: one for one in table["stations"]}
o = {one["name"]: one["result"] + (": " + one["error"] if "error" in one else "") for one in (orders[0]["stations"] if orders else [])}
print(eval(sys.argv[1]))
END
}

# until_stations PYTHON [TENTHS]
until_stations() {
    for _ in $(seq "${2:-300}"); do
        [ "$(stations "$1" 2>/dev/null)" != True ] || return 0
        sleep 0.1
    done
    wrong "never came true: $1: $(cut -c1-600 answer) $(cut -c1-300 given)"
}

# begin NAME ARGS...: the program in the background as a station of that name; its pid goes to $last.
begin() {
    name=$1
    shift
    "$spadework" "$@" --headless --station "$name" --broker "$broker" >"out.$name" 2>"err.$name" &
    last=$!
    others="$others $last"
}

serve_broker "allow_anonymous true"
"$spadework" serve --classroom --broker "$broker" --console-token $token 2>err.classroom &
classroom=$!
until_line ': connected' err.classroom
url=$(sed -n 's,^spadework: the classroom: \(http://[^#]*\)/#.*,\1,p' err.classroom)

# The second of a name is told who has it, and ends before it has driven anything; the first sees nothing of it.
mosquitto_sub -h 127.0.0.1 -p "$port" -q 1 -t 'spadework/seat-1/status' >heard &
others="$others $!"
begin seat-1 run free --operator auto --seconds 600
first=$last
until_stations "s['seat-1']['phase'] == 'driving'"
run run free --headless --operator auto --seconds 60 --record second.spade --broker "$broker" --station seat-1
[ $code -eq 4 ] || wrong "the second of a name ends with $code"
grep -q "station seat-1: the name is in use by .* (127.0.0.1, process $first); this is .*--station NAME" err || wrong "it does not say why: $(cat err)"
[ ! -e second.spade ] || wrong "it has begun to drive"
sleep 7
! grep -q '"online":false' heard || wrong "the first was thrown out: $(cut -c1-200 heard)"
until_stations "s['seat-1']['computer']['process'] == $first and len(s['seat-1']['rivals']) == 1 and s['seat-1']['age'] < 1"
run run free --headless --operator auto --seconds 1 --broker "$broker" --station seat-2
[ $code -eq 0 ] || wrong "another name does not help: $code $(cat err)"

# Computers made from one disk image: one host name, one machine id, here even one process number. Together exactly one stays.
apart=
if unshare --uts --pid --fork sh -c 'hostname lab-7' 2>/dev/null; then
    apart='unshare --uts --pid --fork sh -c'
fi
for round in 1 2 3; do
    clones=
    for k in 1 2 3; do
        command="exec '$spadework' run free --headless --operator auto --seconds 8 --broker $broker --station clone >out.$k 2>err.$k"
        if [ -n "$apart" ]; then
            $apart "hostname lab-7; $command" &
        else
            sh -c "$command" &
        fi
        clones="$clones $!"
    done
    codes=
    for one in $clones; do
        wait "$one"
        codes="$codes $?"
    done
    [ "$(echo "$codes" | tr ' ' '\n' | sort | tr '\n' ' ')" = " 0 4 4 " ] || wrong "of three together, round $round: $codes: $(cat err.1 err.2 err.3)"
done
[ -z "$apart" ] || grep -q 'in use by lab-7 (127.0.0.1, process 1)' err.1 err.2 err.3 || wrong "no host name: $(cat err.1)"

# A name that is lost costs no drive. The holder stands still for longer than a dead one is waited for; another takes the name. As it
# comes back the two are one again, and the other drives on to its end without the broker.
kill -STOP "$first"
begin seat-1 run free --operator auto --seconds 25 --record lost.spade
second=$last
until_stations "s['seat-1'].get('computer', {}).get('process') == $second"
kill -CONT "$first"
until_line 'What is driven here goes on without the broker' err.seat-1
until_stations "s['seat-1']['computer']['process'] == $first and not s['seat-1'].get('silent', False)"
wait "$second"
code=$?
[ $code -eq 0 ] || wrong "the drive that lost its name ended with $code: $(cat err.seat-1)"
run replay lost.spade --verify
[ $code -eq 0 ] || wrong "its recording does not verify: $(cat err)"
kill "$first"
wait "$first"
until_stations "not s['seat-1']['online']"

# A station that is killed with its broker: what the broker has kept of it does not make it live.
for memory in true false; do
    end_broker
    serve_broker "allow_anonymous true" "persistence $memory" "persistence_location $work/" "autosave_on_changes true" "autosave_interval 1"
    begin seat-3 serve --operator auto
    dead=$last
    begin seat-4 serve --operator auto
    live=$last
    until_stations "all(s[k]['online'] and not s[k].get('silent') for k in ('seat-3', 'seat-4'))"
    # The broker first: one that outlived the station by a moment would tell its last will, and the station would be offline, not silent.
    kill -KILL "$server" "$dead"
    wait "$dead" "$server" 2>/dev/null
    died=$(date +%s)
    serve_broker "allow_anonymous true" "persistence $memory" "persistence_location $work/" "autosave_on_changes true" "autosave_interval 1"
    [ $memory = false ] || [ -n "$(mosquitto_sub -h 127.0.0.1 -p "$port" -t spadework/seat-3/status -C 1 -W 2)" ] || wrong "the broker has kept nothing"
    left=$((died + 10 - $(date +%s)))
    [ $left -le 0 ] || sleep $left
    [ "$(stations "s['seat-3'].get('silent', False)")" = True ] || wrong "persistence $memory: a dead station is live after 10 s"
    until_stations "s['seat-4']['online'] and not s['seat-4'].get('silent', False)" 450
    [ "$(stations "s['seat-3'].get('silent', False)")" = True ] || wrong "persistence $memory: the dead one came back"
    ask command -d '{"command":"load","name":"free","text":"","stations":["seat-3","seat-4"]}'
    [ "$code" = 202 ] && grep -q '"stations":1,' answer || wrong "persistence $memory: it counts a dead station: $code $(cat answer)"
    until_stations "o == {'seat-3': 'not_sent', 'seat-4': 'taken'}"
    ask command -d '{"command":"load","name":"free","text":"","stations":["seat-3"]}'
    [ "$code" = 503 ] || wrong "persistence $memory: an order to a dead station: $code $(cat answer)"
    # Its name is free again once it is known to be dead.
    begin seat-3 serve --operator auto
    until_stations "s['seat-3']['online'] and not s['seat-3'].get('silent', False)"
    kill "$last" "$live"
    wait "$last" "$live"
done

# A lesson: loaded, begun and ended on all at once. One has its own drive, one cannot load what it is given.
for seat in a b c; do
    begin seat-$seat serve --operator auto
done
begin seat-d run free --operator auto --seconds 600
until_stations "all(k in s and s[k]['online'] for k in ('seat-a', 'seat-b', 'seat-c', 'seat-d'))"
ask lessons && python3 -c "
import json
t = json.load(open('answer'))
lists = t['lists']
assert len({t['of']['seat-' + k] for k in 'abc'}) == 1, t['of']
one = lists[t['of']['seat-a']]
assert any(scene['name'] == 'trench' for scene in one['scenes']) and any('trench' in course['scenes'] for course in one['courses'])
assert lists[t['of']['seat-d']]['scenes'] == []" || wrong "what may be loaded is not told: $(cut -c1-300 answer)"
ask command -d '{"command":"load","name":"trench","text":"","part":"excavator","value":1,"stations":["seat-a","seat-b","seat-c","seat-d"],"trainees":{"seat-a":"Ann","seat-b":"Ben"}}'
[ "$code" = 202 ] || wrong "a lesson: $code $(cat answer)"
until_stations "[o['seat-' + k] for k in 'abc'] == ['taken'] * 3 and o['seat-d'].startswith('refused: load: this drive has its scene')"
until_stations "[(s['seat-' + k]['phase'], s['seat-' + k]['trainee']) for k in 'abc'] == [('frozen', 'Ann'), ('frozen', 'Ben'), ('frozen', '')]"
sleep 1
[ "$(stations "[s['seat-' + k]['time'] for k in 'abc']")" = '[0.0, 0.0, 0.0]' ] || wrong "they do not wait for their beginning"
ask command -d '{"command":"continue","stations":["seat-a","seat-b","seat-c"]}'
until_stations "all(s['seat-' + k]['phase'] == 'driving' and s['seat-' + k]['time'] > 0.5 for k in 'abc')"
ask command -d '{"command":"end","stations":["seat-a","seat-b","seat-c"]}'
until_stations "[o['seat-' + k] for k in 'abc'] == ['taken'] * 3 and all(s['seat-' + k]['phase'] == 'waiting' for k in 'abc')"
# An end that comes twice closes no station; what cannot be loaded is answered with the reason.
ask command -d '{"command":"end","stations":["seat-a"]}'
until_stations "o == {'seat-a': 'refused: nobody drives here; allowed are load, comment and grade'} and s['seat-a']['online']"
ask command -d '{"command":"load","name":"no-such-scene","text":"","stations":["seat-a"]}'
until_stations "o['seat-a'].startswith('refused: ') and 'no-such-scene' in o['seat-a'] and s['seat-a']['online']"

# The same by the page, on a desk's screen and on a phone's.
begin seat-b run free --operator auto --seconds 1
wait "$last"
if command -v chromium >/dev/null 2>&1; then
    settled='page.orders[0].stations.every((one) => one.result !== "waits")'
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1366x900 en 'wait:page.cards.size > 6 && byId("scene").options.length > 10' \
        'wait:byId("warnings").textContent.includes("More than one computer uses the name seat-b. It belongs to ")' \
        'do:for (const name of ["seat-a", "seat-b", "seat-c", "seat-d"]) page.cards.get(name).box.click()' 'wait:page.chosen.size === 4' \
        'wait:byId("cannot").textContent.endsWith(": seat-d")' 'wait:byId("begin").disabled && !byId("end").disabled' \
        'do:byId("course").value = "excavator"; byId("course").dispatchEvent(new Event("change"))' \
        'do:byId("scene").value = "trench"; page.rows.get("seat-a").input.value = "Ann"' 'do:byId("load").click()' \
        'wait:page.orders[0].command === "load"' "wait:$settled" 'wait:byId("answer").textContent === "Load, 3 stations: accepted 3"' \
        'wait:byId("ready").textContent === "3" && !byId("begin").disabled' rest:1 "picture:$pictures/lesson.png" 'do:byId("begin").click()' \
        'wait:page.classroom.stations.filter((one) => one.phase === "driving").length === 4' 'wait:byId("begin").disabled' \
        'do:byId("end").click()' 'wait:byId("sure").open && document.activeElement.value === "no"' \
        'do:document.querySelector("#sure [value=yes]").click()' 'wait:page.orders[0].command === "end"' "wait:$settled" \
        'wait:byId("waiting").textContent === "3"' 'wait:byId("freeze").disabled && byId("end").disabled && byId("send").disabled' \
        'do:byId("load").click()' 'wait:page.orders[0].command === "load"' "wait:$settled" \
        'wait:page.cards.get("seat-a").link.href.endsWith("/station/seat-a/#'$token'")' \
        'do:setTimeout(() => location.assign(page.cards.get("seat-a").link.href))' \
        'wait:page.state !== null && page.state !== undefined && page.state.phase === "frozen" && byId("token-form").hidden' \
        'wait:byId("back").href.endsWith("/#'$token'")' 'wait:!byId("course").hidden && byId("course").options.length > 1' || wrong "the lesson's page"
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 390x844 de 'wait:page.cards !== undefined && page.cards.size > 6' \
        'wait:byId("load").textContent === "Laden" && byId("scene").options.length > 10' 'wait:!byId("warnings").hidden' \
        'wait:document.documentElement.scrollWidth <= window.innerWidth' "picture:$pictures/lesson-phone.png" || wrong "the lesson's page on a phone"
fi

# A station without a display says so at its start, as a drive does.
run serve --console-token $token
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'serve: no display found (DISPLAY and WAYLAND_DISPLAY lead nowhere).*--headless' err ||
    wrong "serve without a display: $code $(cat err)"
run run free --seconds 1
[ $code -eq 4 ] && grep -q 'no display found' err || wrong "run without a display: $code $(cat err)"
exit $result
