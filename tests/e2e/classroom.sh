#!/bin/sh
# test: long
# A classroom end to end: twenty played stations, a real one and some that send rubbish, by a real broker; the page shows them in a
# browser, sends orders to some and opens one; what is refused is told; a broker that is not there yet is waited for.
#   PICTURES  a folder that keeps the pictures (default: they are thrown away)
. "$(dirname "$0")/common.inc"
PATH=$PATH:/usr/sbin
for tool in curl python3 mosquitto mosquitto_pub; do
    command -v $tool >/dev/null 2>&1 || { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done
unset http_proxy HTTP_PROXY
pictures=${PICTURES:-$work}
load=
finish() {
    [ -z "$load" ] || { kill "$load" && wait "$load"; } 2>/dev/null
    tidy
}
trap finish EXIT

# ask PATH [CURL OPTIONS...]: the answer goes to `answer`, its code to $code.
ask() {
    path=$1
    shift
    code=$(curl -s -m 10 -o answer -w '%{http_code}' -H "Authorization: Bearer $token" "$@" "$url/$path")
}

# stations PYTHON: prints an expression of s, the stations by name, and c, the counts.
stations() {
    ask stations
    python3 -c "import json; t = json.load(open('answer')); c = t['counts']; s = {k['name']: k for k in t['stations']}; print($1)"
}

until_stations() {
    for _ in $(seq 300); do
        [ "$(stations "$1" 2>/dev/null)" != True ] || return 0
        sleep 0.1
    done
    wrong "never came true: $1: $(cut -c1-400 answer)"
}

# tell STATION WORD PAYLOAD [OPTIONS...]: as a station does.
tell() {
    topic=spadework/$1/$2 payload=$3
    shift 3
    mosquitto_pub -p "$port" -q 1 -t "$topic" -m "$payload" "$@" || wrong "cannot publish $topic"
}

LOAD_PLACES=places BUILD_DIR=${BUILD_DIR:-$root/build/release} sh "$root/tests/load.sh" 20 600 >out 2>err &
load=$!
for _ in $(seq 200); do
    [ ! -s places ] || break
    sleep 0.1
done
read -r url token port <places || wrong "no page: $(cat err)"
"$spadework" serve --demo --broker "mqtt://127.0.0.1:$port" --station digger-07 >/dev/null 2>station.err &
program=$!
until_stations "len(s) == 21 and all(k['online'] for k in s.values()) and s['sim-020']['sequence'] > 9 and s['digger-07']['time'] > 6"

# One station: its console, as it shows itself.
ask station/digger-07/ && [ "$code" = 200 ] && grep -q 'canvas id="plan"' answer || wrong "no page of one station: $code"
ask station/digger-08/state && [ "$code" = 404 ] || wrong "a station that is none: $code"
ask station/../../etc/passwd --path-as-is && [ "$code" = 404 ] || wrong "a path leads out: $code"
code=$(curl -s -o answer -w '%{http_code}' "$url/station/digger-07/state")
[ "$code" = 401 ] || wrong "without the token: $code"
ask station/digger-07/command -d '{"command":"fault","name":"swing","part":"","value":0.5}'
[ "$code" = 202 ] && grep -q '"id":"' answer || wrong "an order to one: $code $(cat answer)"
until_stations "s['digger-07']['faults'] == 1"
ask station/digger-07/command -d '{"command":"load","name":"trench","text":""}'
[ "$code" = 202 ] || wrong "an order that the station refuses: $code $(cat answer)"
until_stations "'this drive has its scene' in s['digger-07'].get('failed', '')"
ask station/digger-07/command -d '{"command":"dig"}'
[ "$code" = 400 ] || wrong "an order that is none: $code $(cat answer)"

# Many: an order goes to those that are named.
ask command -d '{"command":"freeze","stations":["sim-001","sim-002","digger-07"]}'
[ "$code" = 202 ] && grep -q '"stations":3' answer || wrong "an order to three: $code $(cat answer)"
until_stations "sorted(k for k in s if s[k]['phase'] == 'frozen') == ['digger-07', 'sim-001', 'sim-002']"
ask command -d '{"command":"continue","stations":["sim-001","digger-07"]}'
until_stations "[k for k in s if s[k]['phase'] == 'frozen'] == ['sim-002']"

# Somebody who has left, and somebody who says no more.
status='"online":true,"phase":"driving","scene":"haul","title":"Load trucks","trainee":'
state='"drive":"d","phase":"driving","time":83.2,"score":31.5,"progress":0.4,"real_time":1,"faults":0,"events":0'
tell cab-01 status "{\"version\":1,\"station\":\"cab-01\",$status\"Ben\"}" -r
tell cab-01 state "{\"version\":1,\"sequence\":0,\"sent\":1,$state}"
tell cab-02 status "{\"version\":1,\"station\":\"cab-02\",$status\"Eva\"}" -r
tell cab-02 state "{\"version\":1,\"sequence\":0,\"sent\":1,$state}"
tell cab-02 status '{"version":1,"online":false,"station":"cab-02"}' -r
until_stations "s['cab-01']['age'] > 3 and s['cab-01'].get('silent', False) and not s['cab-02']['online']"

# The page in a browser.
if command -v chromium >/dev/null 2>&1; then
    chosen='document.querySelectorAll("#stations .chosen").length'
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1600x1000 en 'wait:page.cards.size === 23' \
        'do:for (const name of ["sim-005", "sim-006", "sim-009"]) page.cards.get(name).box.click()' "wait:$chosen === 3" \
        key:f 'wait:page.classroom.stations.filter((one) => one.phase === "frozen").length === 4' rest:1 "picture:$pictures/classroom.png" \
        key:c 'wait:page.classroom.stations.filter((one) => one.phase === "frozen").length === 1' key:a "wait:$chosen === 0" \
        key:t 'wait:document.activeElement.id === "message"' 'do:document.getElementById("message").value = "slowly"' \
        'do:document.querySelector("#message-form button").click()' \
        'wait:document.getElementById("answer").textContent === "Message, 21 stations: accepted 21"' \
        'do:document.getElementById("filter").value = "digger"; show()' 'wait:document.querySelectorAll("#stations li").length === 1' \
        'do:setTimeout(() => document.querySelector("#stations a").click())' \
        'wait:page.state !== null && page.state.station === "digger-07" && page.ground !== null' \
        'do:showDebrief("station")' 'wait:!byId("debrief-there").hidden && byId("debrief").hidden' 'do:showDebrief("")' \
        'wait:byId("debrief-there").hidden' \
        'wait:page.state.orders.some((one) => one.text === "slowly")' \
        'wait:document.getElementById("phase").textContent === "Driving"' \
        'do:document.getElementById("freeze").click()' 'wait:page.state.phase === "frozen"' \
        'wait:document.getElementById("answer").textContent === "Sent: Freeze"' "picture:$pictures/classroom-station.png" \
        'do:document.getElementById("freeze").click()' 'wait:page.state.phase === "driving"' \
        'do:setTimeout(() => document.getElementById("back").click())' 'wait:page.cards.size === 23' || wrong "the page"
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 390x844 de 'wait:page.cards !== undefined && page.cards.size === 23' \
        'wait:document.getElementById("freeze").textContent === "Anhalten"' \
        'wait:document.documentElement.scrollWidth <= window.innerWidth' "picture:$pictures/classroom-phone.png" || wrong "the page on a phone"
    for picture in classroom classroom-station classroom-phone; do
        [ "$(wc -c <"$pictures/$picture.png")" -gt 15000 ] || wrong "$picture.png is empty"
    done
fi

# Rubbish is told, and does no harm.
tell evil status '{"version":1,"online":true,"station":"evil","phase":"driving","title":"<img src=x onerror=alert(1)>","trainee":"</script>"}' -r
tell evil state '{"version":1,"sequence":1e999}'
tell evil state "{\"version\":1,\"sequence\":0,\"sent\":1,\"progress\":\"$(printf '%70000s' x)\"}"
tell evil scenes '{"version":1,"scenes":[{"name":"../../x","title":""}]}'
tell Evil status '{"version":1,"online":true,"station":"Evil","phase":"driving"}'
tell other status '{"version":1,"online":true,"station":"evil","phase":"driving"}'
until_stations "s['evil']['title'].startswith('<img') and c['refused'] >= 3 and len(s) == 24"
ask "" && ! grep -q onerror answer || wrong "what a station says is in the page"
if command -v chromium >/dev/null 2>&1; then
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1600x1000 es 'wait:page.cards !== undefined && page.cards.size === 24' \
        'wait:document.querySelectorAll("#stations img, #stations script").length === 0' \
        'wait:document.getElementById("stations").textContent.includes("<img src=x onerror=alert(1)>")' || wrong "the page with rubbish"
fi

# A station that goes says so, also one that is killed.
kill -KILL "$program"
wait "$program" 2>/dev/null
program=
until_stations "not s['digger-07']['online']"
ask station/digger-07/command -d '{"command":"freeze"}'
[ "$code" = 503 ] || wrong "an order to who has left: $code $(cat answer)"
[ "$(stations "(c['states_lost'], c['events_lost'], c['events_again'])")" = '(0, 0, 0)' ] || wrong "something was lost: $(cut -c1-200 answer)"
kill "$load"
wait "$load"
load=
for text in 'refused state of evil: ' 'refused scenes of evil: ' 'refused status of other: station: "evil" was read'; do
    grep -q "$text" err || wrong "not told: $text: $(cat err)"
done

# A broker that is not there yet.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$spadework" serve --classroom --broker "mqtt://127.0.0.1:$port" --console-token "$token" 2>err &
program=$!
for _ in $(seq 200); do
    url=$(sed -n 's,^spadework: the classroom: \(http://[^#]*\)/#.*,\1,p' err)
    [ -z "$url" ] || break
    sleep 0.1
done
until_stations "t['connected'] is False and s == {}"
ask command -d '{"command":"freeze","stations":"all"}'
[ "$code" = 503 ] && grep -q 'the broker is not there' answer || wrong "an order without a broker: $code $(cat answer)"
mosquitto -p "$port" >/dev/null 2>&1 &
load=$!
until_stations "t['connected'] is True"
kill "$program"
wait "$program"
code=$?
program=
[ $code -eq 0 ] || wrong "ended with $code: $(cat err)"
for text in 'Connection refused' ': connected'; do
    grep -q "$text" err || wrong "not told: $text: $(cat err)"
done
run serve --classroom
[ $code -eq 2 ] && grep -q 'needs --broker URL' err || wrong "without a broker: $code $(cat err)"
run serve --classroom --demo --broker mqtt://127.0.0.1
[ $code -eq 2 ] && grep -q 'nothing is driven here' err || wrong "with --demo: $code $(cat err)"
exit $result
