#!/bin/sh
# test: long
# The command `doctor`: whatever the computer lacks, it answers in time, in lines and in JSON, and its exit code says whether
# a drive in the window can run.
. "$(dirname "$0")/common.inc"
unset SDL_AUDIODRIVER TMPDIR
export LANG=C.UTF-8

# doctor CODE ARGS...: ends with CODE within two minutes, stderr stays empty.
doctor() {
    wanted=$1
    shift
    timeout 120 "$spadework" doctor "$@" >out 2>err
    code=$?
    [ $code -eq "$wanted" ] || wrong "doctor $*: exit $code, $wanted expected: $(cat out err)"
    [ ! -s err ] || wrong "doctor $*: says on stderr: $(cat err)"
}
# tells PATTERN: a line of the answer has it.
tells() {
    grep -q -e "$1" out || wrong "'$1' is not in: $(cat out)"
}
# agrees EXPRESSION: it is true of the JSON, which is `whole`; `about` finds the findings of a name.
agrees() {
    python3 - "$1" <<'END' || wrong "the JSON does not agree: $1: $(cat out)"
import json, sys
whole = json.load(open("out"))
def about(name):
    return [finding for finding in whole["findings"] if finding["about"] == name]
sys.exit(0 if eval(sys.argv[1]) else 1)
END
}

# Without a display no window can be opened, and that is told; the simulation is timed all the same.
doctor 4 --quality low
tells '^[a-z]* *real time *[a-z]*, [0-9.]* times: scene trench'
tells '^missing *display *none'
tells 'No drive in a window can run here. Commands without one work'
[ ! -e "$XDG_DATA_HOME/spadework" ] && [ ! -e "$XDG_CONFIG_HOME/spadework" ] || wrong "the doctor makes folders"
[ -z "$(find . -name 'core*')" ] || wrong "the doctor leaves a core"

# JSON has a fixed layout.
doctor 4 --json --quality low
agrees 'whole["format"] == 1 and whole["headless"] and not whole["window"] and isinstance(whole["slow"], bool)'
agrees 'all(set(f) == {"about", "verdict", "text", "advice", "values"} for f in whole["findings"])'
agrees 'all(f["verdict"] in ("good", "slow", "missing") for f in whole["findings"])'
agrees 'about("real_time")[0]["values"]["factor"] > 0 and about("disk")[0]["values"]["hours"] > 0'
agrees 'about("libraries")[0]["values"]["ode_double"] and about("data")[0]["values"]["scenes"] > 9'
agrees 'not any(f["values"]["signal"] for f in about("probe"))'

# A display that is none but is asked for on purpose: drives can run there.
if "$spadework" run free --headless --seconds 0.1 --shot can.png >/dev/null 2>&1; then
    SDL_VIDEODRIVER=offscreen
    export SDL_VIDEODRIVER
    doctor 0 --json --quality low
    agrees 'whole["window"] and about("opengl")[0]["values"]["version"] and about("display")[0]["verdict"] == "good"'
    agrees 'about("pictures")[0]["values"]["low"] > 0'
    unset SDL_VIDEODRIVER
fi

# Neither home nor programs nor letters; an output that is on purpose none.
mkdir empty
env -u HOME -u XDG_DATA_HOME -u XDG_CONFIG_HOME -u LANG -u LC_ALL PATH="$work/empty" SDL_AUDIODRIVER=dummy \
    "$spadework" doctor --quality low >out 2>err
code=$?
[ $code -eq 4 ] || wrong "without a home: exit $code: $(cat out err)"
tells '^missing *results *there is no folder for the user'
tells '^missing *settings *there is no folder for the user'
tells '^missing *ffmpeg .*not found'
tells 'apt install ffmpeg'
tells '^good *sound .*dummy'
tells 'no UTF-8'

# A display, OpenGL and sound that lead nowhere, data that is not there, settings that are wrong, a folder that is a file.
mkdir -p "$XDG_CONFIG_HOME/spadework" "$work/.home"
echo 'kind: settings
language: xx' >"$XDG_CONFIG_HOME/spadework/settings.yaml"
rm -rf "$XDG_DATA_HOME"
: >"$XDG_DATA_HOME"
DISPLAY=no-display SDL_AUDIODRIVER=nosuch SPADEWORK_DATA="$work/empty" doctor 4 --json
agrees 'not whole["headless"] and not whole["window"]'
agrees 'about("real_time")[0]["verdict"] == about("data")[0]["verdict"] == about("display")[0]["verdict"] == "missing"'
agrees 'about("settings")[0]["verdict"] == "missing" and "xx" in about("settings")[0]["text"]'
agrees 'about("sound")[0]["verdict"] == "missing" and about("folder_recordings")[0]["verdict"] == "missing"'
rm "$XDG_DATA_HOME" "$XDG_CONFIG_HOME/spadework/settings.yaml"

# A display that takes a connection and never answers.
python3 -c 'import socket, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1] - 6000, flush=True)
time.sleep(100)' >number &
program=$!
for _ in $(seq 40); do
    [ -s number ] && break
    sleep 0.25
done
DISPLAY=127.0.0.1:$(cat number) doctor 4 --json --quality low
agrees 'about("probe")[0]["values"]["part"] == "display and graphics" and about("display")[0]["verdict"] == "missing"'
agrees 'whole["headless"] and about("texts")[0]["values"]["utf8"]'
kill $program
program=

# Refused: options and words that it does not know.
for words in '--deep' 'everything' '--quality best' '--seconds 3'; do
    # shellcheck disable=SC2086 # a list of words
    run doctor $words
    [ $code -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || wrong "doctor $words: exit $code: $(cat err)"
done
run doctor --help
[ $code -eq 0 ] && grep -q 'Exit code 0: a drive in the window can run' out || wrong "its help: $(cat out err)"

# An output that cannot be written is told.
"$spadework" doctor --quality low >&- 2>err
code=$?
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] || wrong "closed stdout: exit $code: $(cat err)"
[ $result -eq 0 ] && echo "doctor.sh: the doctor answers whatever is missing"
exit $result
