#!/bin/sh
# Pipes, devices and folders in place of files: each command ends at once and says what is there.
. "$(dirname "$0")/common.inc"
mkfifo pipe || exit 1
"$SPADEWORK" run trench --headless --seconds 1 --threads 1 --record dig.spade >out 2>err || wrong "nothing was recorded: $(cat err)"
mkfifo dig.spade.marks

# refused CODE TEXT ARGS...: ends with the code within 20 s, and its last line holds the text.
refused() {
    code=$1 text=$2
    shift 2
    timeout -k 1 20 "$SPADEWORK" "$@" >out 2>&1 </dev/null
    ended=$?
    [ $ended -eq "$code" ] || wrong "spadework $*: ended with $ended, wanted $code: $(tail -n 1 out)"
    tail -n 1 out | grep -q "$text" || wrong "spadework $*: told \"$(tail -n 1 out)\", wanted \"$text\""
}
not_file="a device or pipe, not a file"
for odd in "$PWD/pipe" /dev/zero /dev/tty0; do
    refused 1 "$not_file\|cannot be read" run trench --headless --seconds 1 --operator $odd
    refused 1 "$not_file\|cannot be read" run $odd --headless --seconds 1
done
refused 1 "a folder, not a file" run trench --headless --seconds 1 --operator .
refused 1 "$not_file" run trench --headless --seconds 1 --controls ./pipe
refused 1 "$not_file" check ./pipe
for kind in scene machine soil controls course expert; do
    mkfifo $kind.yaml
    refused 1 "$not_file" check ./$kind.yaml
done
cp "$root/data/scenes/trench.yaml" mine.yaml
refused 1 "$not_file" run ./mine.yaml --headless --seconds 1 --set machine.file=./machine.yaml
refused 1 "$not_file" run ./mine.yaml --headless --seconds 1 --set ground.layers.0.soil=./soil.yaml
refused 1 "$not_file" run ./mine.yaml --headless --seconds 1 --operator expert:./expert.yaml
refused 1 "$not_file" results progress Ann way.svg --course ./course.yaml
refused 1 "$not_file" preview ./scene.yaml -o plan.png
refused 1 "$not_file" rescore dig.spade --scene ./scene.yaml
refused 1 "$not_file" results import-class pipe
refused 1 "is a device or pipe, not a recording" resume pipe --at 0.5 --headless --seconds 1
refused 1 "is a device or pipe, not a recording" export pipe --csv out.csv
refused 1 "is a device or pipe, not a recording" report pipe -o out.html
refused 1 "is a device or pipe, not a recording" rescore pipe
refused 1 "." results verify --results pipe
mkdir -p "$XDG_CONFIG_HOME/spadework" && mkfifo "$XDG_CONFIG_HOME/spadework/settings.yaml"
refused 0 "Walk round" list scenes
rm "$XDG_CONFIG_HOME/spadework/settings.yaml"
refused 1 "is a device or pipe, not a recording" replay pipe --verify
refused 4 "exists already" run trench --headless --seconds 1 --record pipe
refused 4 "is a pipe, which would be waited for" run trench --headless --seconds 1 --telemetry pipe
refused 4 "is a pipe, which would be waited for" run trench --headless --seconds 1 --shot pipe
refused 4 "is a pipe, which would be waited for" export dig.spade --events pipe
refused 0 "verified" replay dig.spade --verify

# The program's own output may be a pipe.
timeout -k 1 20 "$SPADEWORK" run trench --headless --seconds 1 --telemetry /dev/stdout 2>err | cat >read
grep -q "^tick,t," read || wrong "the reader of a pipe got \"$(head -n 1 read)\": $(cat err)"
exit $result
