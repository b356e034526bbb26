#!/bin/sh
# test: long
# The instructor's console end to end: a run with one is the same to the bit as a run without; orders by curl hold, mark, tell and
# end it and stand in the recording, which verifies; strangers are refused; a station drives what is loaded; the page works in a
# browser, by keyboard, and makes a picture.
#   PICTURES  a folder that keeps the pictures (default: they are thrown away)
. "$(dirname "$0")/common.inc"
for tool in curl sqlite3 python3; do
    command -v $tool >/dev/null 2>&1 || { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done
unset http_proxy HTTP_PROXY
token=0123456789abcdef0123
pictures=${PICTURES:-$work}

# begin ARGS...: the program in the background; waits for the line with the page's address, which goes to $url.
begin() {
    : >err # the address of the program before this one stands there
    "$spadework" "$@" >out 2>err &
    program=$!
    for _ in $(seq 200); do
        url=$(sed -n 's,^spadework: the instructor.s console: \(http://[^#]*\)/#.*,\1,p' err 2>/dev/null)
        [ -z "$url" ] || return 0
        sleep 0.1
    done
    wrong "no address of the page: $(cat err)"
}

# order JSON: sends an order; the answer goes to `answer`, its code to $code.
order() {
    code=$(curl -s -m 10 -o answer -w '%{http_code}' -H "Authorization: Bearer $token" -d "$1" "$url/command")
}

# taken JSON: an order that must be taken.
taken() {
    order "$1"
    [ "$code" = 202 ] || wrong "$1: $code $(cat answer)"
}

# state PYTHON: prints an expression of the state s.
state() {
    curl -s -m 10 -H "Authorization: Bearer $token" "$url/state" |
        python3 -c "import json, sys; s = json.load(sys.stdin); print($1)"
}

# until PYTHON: waits until an expression of the state is true.
until_state() {
    for _ in $(seq 200); do
        [ "$(state "$1" 2>/dev/null)" != True ] || return 0
        sleep 0.1
    done
    wrong "never came true: $1 (state: $(state "s.get('phase'), s.get('time')"))"
}

# The same bits with a console, frozen for a while, as without.
"$spadework" run free --headless --operator auto --seconds 12 --record plain.spade >out 2>err || wrong "no plain run: $(cat err)"
begin run free --headless --operator auto --seconds 12 --record watched.spade --trainee Ana --results results.db \
    --console 0 --console-token $token
until_state "s['time'] > 0.5"
taken '{"command":"freeze"}'
until_state "s['phase'] == 'frozen'"
first=$(state "s['time']")
taken '{"command":"mark","text":"stood too near"}'
taken '{"command":"mark","text":"wrong: 3 m deep, says the plan"}'
taken '{"command":"message","text":"Länger graben"}'
sleep 0.6
[ "$(state "s['time']")" = "$first" ] || wrong "time goes on while it is frozen"
[ "$(state "s['trainee'] + s['orders'][-1]['text']")" = "AnaLänger graben" ] || wrong "the page is not told: $(state "s['orders']")"

# What the operator sees, drawn beside the run, which stays the same to the bit. Where nothing can be drawn stderr says so.
picture=$url/$(state "s['picture']")
for _ in $(seq 100); do
    seen=$(curl -s -m 10 -o seen.png -w '%{http_code}' "$picture")
    [ "$seen" = 404 ] && ! grep -q 'no picture of what' err || break
    sleep 0.1
done
[ "$seen" = 200 ] && [ "$(head -c 4 seen.png | tail -c 3)" = PNG ] || grep -q 'no picture of what' err ||
    wrong "no picture of what the operator sees: $seen"

# Strangers.
refused() {
    wanted=$1
    shift
    code=$(curl -s -m 10 -o answer -w '%{http_code}' --path-as-is "$@")
    [ "$code" = "$wanted" ] || wrong "$*: $code, wanted $wanted: $(cat answer)"
}
refused 401 "$url/state"
refused 401 -H "Authorization: Bearer 0123456789abcdef0124" "$url/live"
refused 403 -H "Authorization: Bearer $token" -H "Origin: http://evil.example" -d '{"command":"end"}' "$url/command"
refused 421 -H "Host: evil.example" "$url/"
refused 404 "$url/../../etc/passwd"
refused 404 -H "Authorization: Bearer $token" "$url/state%00"
refused 404 "$url/%00"
refused 400 -H "Authorization: Bearer $token" -H "Origin: $url" -H "origin: http://evil.example" -d '{"command":"end"}' "$url/command"
refused 404 "${picture%????????????}0000/picture"
refused 400 -H "Authorization: Bearer $token" -d '{"command":"dig"}' "$url/command"
refused 409 -H "Authorization: Bearer $token" -d '{"command":"load","name":"trench","text":""}' "$url/command"
for code in 401 403 421 404 400 409; do
    grep -q "console: refused .* of 127.0.0.1 ($code)" err || wrong "a refusal with $code is not logged: $(cat err)"
done
taken '{"command":"continue"}'
ended 0
for recording in plain watched; do
    sqlite3 $recording.spade 'SELECT tick, hex(hash) FROM state ORDER BY tick' >$recording.hashes
done
[ -s plain.hashes ] && cmp -s plain.hashes watched.hashes || wrong "a console changes the state"
run replay watched.spade --verify
[ $code -eq 0 ] || wrong "the recording does not verify: $(cat err)"
run replay watched.spade --list-marks
for text in 'freeze: by the instructor' 'mark: stood too near' 'mark: wrong: 3 m deep, says the plan$' 'message: Länger graben' 'freeze: over, by the instructor'; do
    grep -q "$text" out || wrong "not in the recording: $text"
done

run export watched.spade --events events.csv
grep -q '^"mark",.*"wrong: 3 m deep, says the plan",' events.csv || wrong "not in the table: $(grep mark events.csv)"
LANGUAGE=de LANG=C.UTF-8 run report watched.spade -o watched.html
grep -q '>wrong: 3 m deep, says the plan<' watched.html || wrong "not in the debrief: $(grep -o '>[^<]*3 m deep[^<]*<' watched.html)"

# Begun again, and ended in good order before its time.
begin run free --headless --operator auto --seconds 60 --record again.spade --console 0 --console-token $token
until_state "s['time'] > 1"
taken '{"command":"fault","name":"swing","part":"","value":0.5}'
taken '{"command":"fault","name":"valve","part":"boom","value":1}'
fault="{f['name']: {p['name']: p['value'] for p in f['parts']} for f in s['faults']}"
until_state "$fault['swing'][''] == 0.5 and $fault['valve']['boom'] == 1"
taken '{"command":"fault","name":"valve","part":"boom","value":0}'
taken '{"command":"fault","name":"hose","part":"","value":1}'
taken '{"command":"fault","name":"heat","part":"","value":99}'
until_state "[o['text'][:10] for o in s['orders'] if o['command'] == 'failed'] == ['fault hose', 'fault heat'] and $fault['valve']['boom'] == 0"
taken '{"command":"restart"}'
until_state "s['recording'] == 'again-2.spade'"
until_state "s['time'] > 1.2"
# A snapshot, the way back to it and to an earlier second: each goes on in a recording of its own, which proves its parent.
taken '{"command":"return","value":1}'
until_state "s['orders'][-1]['text'] == 'snapshot 1: there are 0'"
taken '{"command":"snapshot","text":"before the edge"}'
until_state "len(s['snapshots']) == 1 and s['snapshots'][0]['text'] == 'before the edge'"
kept=$(state "s['snapshots'][0]['time']")
until_state "s['time'] > $kept + 0.5"
taken '{"command":"return","value":1}'
until_state "s['recording'] == 'again-3.spade'"
[ "$(state "$kept <= s['time'] < $kept + 5")" = True ] || wrong "returned to $kept s, but stands at $(state "s['time']")"
taken '{"command":"rewind","value":0.5}'
until_state "s['recording'] == 'again-4.spade'"
taken '{"command":"rewind","value":999}'
until_state "s['orders'][-1]['text'].startswith('there is no way back to 999 s')"
until_state "s['time'] > 1"
taken '{"command":"end"}'
ended 0
[ "$(sqlite3 again-4.spade "SELECT value FROM meta WHERE key = 'parent_tick'")" = 30 ] || wrong "0.5 s is tick 30"
for recording in again again-2 again-3 again-4; do
    run replay $recording.spade --verify
    [ $code -eq 0 ] || wrong "$recording.spade does not verify: $(cat err)"
done
run replay again.spade --list-marks
for text in 'the swing reaches 50 % of its speed' 'the valve is stuck' 'the valve moves again'; do
    grep -q "$text" out || wrong "not in the recording: $text"
done

# A station drives what the page loads, and ends by a signal.
begin serve --headless --language de --console-token $token
until_state "s['phase'] == 'waiting'"
curl -s -m 10 -H "Authorization: Bearer $token" "$url/scenes" | grep -q '"name":"trench","title":"Einen Graben ausheben"' || wrong "no list of scenes in German"
taken '{"command":"load","name":"nosuchscene","text":""}'
until_state "[o['text'].startswith('no scene named nosuchscene in ') for o in s['orders'] if o['command'] == 'failed'] == [True]"
taken '{"command":"end"}' # which closes no station
until_state "s['orders'][-1]['text'] == 'nobody drives here; allowed are load, comment and grade' and s['phase'] == 'waiting'"
taken '{"command":"load","name":"free","text":"Ben"}'
until_state "s.get('scene') == 'free' and s['trainee'] == 'Ben' and s['time'] > 0.2"
taken '{"command":"load","name":"trench","text":""}'
until_state "s.get('scene') == 'trench'"
until_state "s['time'] > 0.5"
taken '{"command":"end"}'
until_state "s['phase'] == 'waiting' and s['debrief'] != ''"
debrief=$url/$(state "s['debrief']")
curl -s -m 10 -o debrief.html "$debrief" && grep -q '<h1' debrief.html || wrong "no debrief"
refused 404 "${debrief%??????????}aa/debrief"
grep -q nosuchscene err || wrong "a scene that is none is not told: $(cat err)"
kill "$program"
ended 0

# In a window the page after a drive takes what ends it, and answers all else at once.
printf 't,swing\n0,0.5\n0.5,0\n' >swing.csv
export SDL_VIDEODRIVER=offscreen SDL_AUDIODRIVER=dummy
begin serve --operator ./swing.csv --console-token $token
unset SDL_VIDEODRIVER SDL_AUDIODRIVER
taken '{"command":"load","name":"free","text":""}'
until_state "s['phase'] == 'over' or s['orders'][-1]['command'] == 'failed'"
if ! grep -q 'spadework: window:' err; then
    taken '{"command":"message","text":"well done"}'
    until_state "'the operator reads the page' in s['orders'][-1]['text']"
    taken '{"command":"load","name":"dozing","text":""}'
    until_state "s.get('scene') == 'dozing' and s['phase'] == 'over'"
    taken '{"command":"end"}'
    until_state "s['phase'] == 'waiting'"
fi
kill "$program"
ended 0

# The page in a browser, by keyboard.
if command -v chromium >/dev/null 2>&1; then
    begin serve --demo --console-token $token
    until_state "s['time'] > 8"
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1600x1200 en 'wait:page.state !== null && page.ground !== null' \
        'wait:document.getElementById("phase").textContent === "Driving"' 'wait:page.faults.length > 0' \
        'do:document.getElementById("fault").value = "swing"; choosePart(); document.querySelector("#fault-form button").click()' \
        'wait:document.getElementById("broken").textContent.includes("Swing")' \
        'wait:byId("given").textContent.includes("Fault: Swing speed left 50 %")' \
        'do:byId("value").value = "0.5"; document.querySelector("#fault-form button").click()' \
        'wait:byId("given").textContent.includes("Fault: Swing speed left 0.5 %")' 'do:byId("mend").click()' \
        'wait:byId("given").textContent.includes("Mended: Swing speed left")' 'wait:document.getElementById("broken").textContent === ""' \
        key:p 'wait:document.activeElement.id === "snapshot"' \
        'do:document.getElementById("snapshot").value = "first bucket"; document.querySelector("#snapshot-form button").click()' \
        'wait:page.state.snapshots.length === 1' 'do:document.getElementById("looks").click()' \
        'wait:!document.getElementById("picture").hidden' rest:2 "picture:$pictures/console.png" \
        'do:document.getElementById("return").click(); document.querySelector("#sure [value=yes]").click()' \
        'wait:page.state.recording === "demo-2.spade"' 'do:document.activeElement.blur()' \
        key:f 'wait:page.state.phase === "frozen"' key:f 'wait:page.state.phase === "driving"' \
        key:t 'wait:document.activeElement.id === "message"' \
        'do:document.getElementById("message").value = "slowly"' 'do:document.querySelector("#message-form button").click()' \
        'wait:page.state.orders.some((o) => o.text === "slowly")' || wrong "the page"
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 390x844 de 'wait:page.state !== null && page.ground !== null' \
        'wait:document.getElementById("freeze").textContent === "Anhalten"' \
        'wait:document.documentElement.scrollWidth <= window.innerWidth' "picture:$pictures/console-phone.png" || wrong "the page on a phone"
    taken '{"command":"end"}'
    ended 0
    # A whole lesson from the page: a course's exercise is loaded, driven, frozen, broken, marked, kept, gone back to, talked to,
    # ended, and its debrief opened; what was recorded verifies.
    begin serve --headless --operator auto --console-token $token
    orders='[..."freeze restart end".split(" ").map(byId), ...document.querySelectorAll("#message-form button, #mark-form button")]'
    python3 "$root/tests/e2e/page_shot.py" "$url/#$token" 1280x800 es 'wait:page.courses.length > 1 && page.scenes.length > 1' \
        "wait:page.state.phase === \"waiting\" && $orders.every((one) => one.disabled)" \
        'do:const course = byId("course"); course.value = "excavator"; course.dispatchEvent(new Event("change"))' \
        'do:byId("scene").value = "trench"; byId("trainee").value = "Clara"; document.querySelector("#load-form button").click()' \
        'wait:page.state.scene === "trench" && page.state.trainee === "Clara" && page.state.time > 1' \
        'do:byId("freeze").click()' 'wait:page.state.phase === "frozen"' 'do:byId("freeze").click()' \
        'wait:page.state.phase === "driving" && page.faults.length > 0' "wait:$orders.every((one) => !one.disabled)" \
        'do:byId("fault").value = "valve"; choosePart(); byId("part").value = "boom"; document.querySelector("#fault-form button").click()' \
        'wait:byId("broken").textContent !== ""' 'do:byId("mend").click()' 'wait:byId("broken").textContent === ""' \
        'do:byId("mark").value = "look here"; document.querySelector("#mark-form button").click()' \
        'do:byId("snapshot").value = "start"; document.querySelector("#snapshot-form button").click()' \
        'wait:page.state.snapshots.length === 1' rest:1 \
        'do:byId("return").click(); document.querySelector("#sure [value=yes]").click()' \
        'wait:page.state.recording.endsWith("-2.spade") && page.state.time > 0' \
        'do:byId("message").value = "well done"; document.querySelector("#message-form button").click()' \
        'wait:page.state.orders.some((o) => o.text === "well done")' \
        'do:byId("end").click(); document.querySelector("#sure [value=yes]").click()' \
        'wait:page.state.phase === "waiting" && !byId("debrief").hidden' \
        'do:location.assign(byId("debrief").href)' 'wait:document.querySelector("h1") !== null && document.body.textContent.includes("Clara")' \
        rest:0.5 "picture:$pictures/console-debrief.png" || wrong "a lesson from the page"
    kill "$program"
    ended 0
    count=0
    for recording in "$XDG_DATA_HOME"/spadework/recordings/*.spade; do
        run replay "$recording" --verify
        [ $code -eq 0 ] || wrong "$recording does not verify: $(cat err)"
        count=$((count + 1))
    done
    [ $count -ge 2 ] || wrong "$count recordings of a lesson with a way back"
    [ "$(sqlite3 "$XDG_DATA_HOME/spadework/results.db" "SELECT count(*) FROM attempt WHERE course = 'excavator'")" -ge 1 ] ||
        wrong "the attempt is not among the course's"
    for picture in console console-phone console-debrief; do
        [ "$(wc -c <"$pictures/$picture.png")" -gt 15000 ] || wrong "$picture.png is empty"
    done
fi
exit $result
