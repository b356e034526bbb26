#!/bin/sh
# test: long
# The examples run in their quick form, and move soil: the planner fills the bucket, the cloned policy dumps what it digs.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"

export SPADEWORK_LIBRARY="${BUILD_DIR:-$root/build/release}/lib/libspadework.so.0" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/trainer/python"
python=python3 # Debian's, where another one is before it that has no numpy
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

# example NAME: runs it; what it says last is in $last.
example() {
    "$python" "$root/docs/examples/$1.py" --quick >out 2>err || wrong "$1: exit $?: $(tail -n 5 err)"
    last=$(tail -n 1 out)
}

# moved PATTERN LEAST: the number that the pattern finds in $last is LEAST or more.
moved() {
    number=$(printf '%s\n' "$last" | sed -nE "s/$1/\\1/p")
    [ -n "$number" ] && [ "$number" -ge "$2" ] || wrong "wanted $2 kg at least: $last"
}

example random_agent
printf '%s\n' "$last" | grep -qE '^10 s, reward -?[0-9.]+, [0-9.]+ m3 left to cut$' || wrong "random_agent says: $last"
example force_plot
[ "$last" = "wrote force_plot.svg" ] || wrong "force_plot says: $last"
grep -c '<polyline points="[0-9., ]*"' force_plot.svg | grep -qx 1 || wrong "force_plot.svg has no curve"
xmllint --noout force_plot.svg || wrong "force_plot.svg is no XML"
example plan_by_saving
moved '^([0-9]+) kg in the bucket after .*' 300
example clone_expert
moved '.*the clone put ([0-9]+) kg on the dump' 200
exit $result
