#!/bin/sh
# Only trainer/sim/events.c makes sentences of events. Any other source under trainer/ and input/ neither prints a
# number of an event, nor writes a format into an event's text, nor reads a text of an event back, nor has templates of its own.
#   SOURCE_DIR  repository (default: this one)
# First it checks itself: it must see one example of each fault, and none where numbers are compared or stored.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cd "${SOURCE_DIR:-$here/../..}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
header=trainer/sim/events.h

# The names of the numbers, as a pattern.
numbers=$(sed -n 's/^    X(\([a-z]*\), "[^"]*", \(QUANTITY\|EVENT_AS\)_.*/\1/p' "$header" | tr '\n' '|' | sed 's/|$//')
[ "$(echo "$numbers" | tr '|' '\n' | grep -c .)" -gt 20 ] || { echo "event_sentences.sh: $header lists no numbers: $numbers" && exit 1; }

# sentences FILE...: file, line and beginning of each statement that makes or reads one.
sentences() {
    awk -v number="(event|events\\[[a-z]*\\])?(\\.|->)?number\\.($numbers)[^a-z_]" '
        FNR == 1 { statement = ""; first = 1 }
        { line = $0; sub(/\/\/.*/, "", line); if (statement == "") first = FNR; statement = statement " " line }
        line !~ /[;{}]/ { next }
        {
            prints = statement ~ /(printf|quantity[a-z_]*|strcat|strcpy) *\(/ && statement ~ number
            writes = statement ~ /printf *\([a-z_]*(event|typed|note)[a-z_]*(\.|->)(text|detail),[^,]*, *"[^"]*[^%s"]/
            reads = statement ~ /(strtod|strtol|sscanf|strstr|strncmp) *\([a-z_]*event[a-z_]*(\.|->)(text|detail)/
            template = statement ~ /"[^"]*\{(part|thing|name|number|words|text)\}[^"]*"/
            if (prints || writes || reads || template) print FILENAME ":" first ":" substr(statement, 1, 160)
            statement = ""
        }' "$@"
}

for bad in 'snprintf(text, size, "%.1f m/s", event->number.speed);' 'q = quantity(KIND, event.number.load, units);' \
    'snprintf(event.text, sizeof event.text, "step %d done", k);' 'long n = strtol(event->text + 5, NULL, 10);' \
    'static const char t[] = TEXT("{part} touches {thing}");'; do
    printf '%s\n' "$bad" >"$work/bad.c"
    [ -n "$(sentences "$work/bad.c")" ] || { echo "event_sentences.sh itself is broken: it does not see $bad" && exit 1; }
done
printf '%s\n' 'event.number.speed = fabs(speed);' 'if (event->number.energy >= rule->energy) {' \
    'snprintf(event.text, sizeof event.text, "%s", typed);' 'snprintf(text, size, "%s", quantity_number(x, 1).number);' >"$work/good.c"
[ -z "$(sentences "$work/good.c")" ] || { echo "event_sentences.sh itself is broken: it sees $(sentences "$work/good.c")" && exit 1; }

# shellcheck disable=SC2046 # names of sources have no spaces
sentences $(find trainer input -name '*.c' ! -path trainer/sim/events.c | sort) >"$work/found"
if [ -s "$work/found" ]; then
    cat "$work/found"
    echo "event_sentences.sh: sentences of events are made in trainer/sim/events.c alone"
    exit 1
fi
