#!/bin/sh
# Twenty stations on one page for a few seconds: nothing is lost, and nothing comes twice. No time is looked at.
. "$(dirname "$0")/common.inc"
PATH=$PATH:/usr/sbin
command -v mosquitto >/dev/null 2>&1 || { echo "$script: needs mosquitto (trainer/packages.txt)" && exit 77; }
BUILD_DIR=${BUILD_DIR:-$root/build/release} sh "$root/tests/load.sh" 20 5 >out 2>err
code=$?
[ $code -eq 0 ] || wrong "ended with $code: $(cat out err)"
for row in '| states (QoS 0) | [1-9][0-9]* | [1-9][0-9]* | 0 |' '| events (QoS 2) | [1-9][0-9]* | [1-9][0-9]* | 0 |'; do
    grep -q "^$row\$" out || wrong "no row $row: $(cat out)"
done
[ ! -s err ] || wrong "something was told: $(cat err)"
exit $result
