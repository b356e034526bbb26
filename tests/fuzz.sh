#!/bin/sh
# Feeds the readers of files with what nobody meant to write: sh tests/fuzz.sh [SECONDS] [TARGET...]
#   SECONDS   for each target (20)       TARGET  only these (tests/fuzz/fuzz.h lists all)
#   FUZZ_JOBS targets at a time (2)      FUZZ_FLAGS  more options of libFuzzer
# Seeds are the shipped files and tests/fuzz/corpus; what is found on the way stays in build/fuzz/corpus for the next time.
# Prints a table; ends with 1 when there is a finding, whose input is kept in build/fuzz/findings. To see it again:
#   build/asan/bin/fuzz --target=TARGET build/fuzz/findings/TARGET/crash-...
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

seconds=20
case ${1-} in
'' | *[!0-9]*) ;;
*)
    seconds=$1
    shift
    ;;
esac
install_packages run test fuzz
build_preset asan fuzz || exit 1
fuzz=$root/build/asan/bin/fuzz
[ $# -gt 0 ] || set -- $("$fuzz" --targets)

# seeds TARGET: folders of files to begin with.
seeds() {
    case $1 in
    scene) set -- "$1" "$root/data/scenes" "$root/tests/support" ;;
    machine) set -- "$1" "$root/data/machines" ;;
    truck) set -- "$1" "$root/data/machines" ;;
    attachment | coupler | soil | course | expert) set -- "$1" "$root/data/$1s" ;;
    controls) set -- "$1" "$root/data/controls" ;;
    mesh) set -- "$1" "$root/data/meshes" ;;
    landxml) set -- "$1" "$root/data/surfaces" ;;
    heights) set -- "$1" "$root/data/heights" ;;
    esac
    target=$1
    shift
    for folder in "$@" "$root/tests/fuzz/corpus/$target"; do
        [ ! -d "$folder" ] || printf '%s\n' "$folder"
    done
}

# words TARGET FILE: the keys of the seeds as libFuzzer's dictionary.
words() {
    seeds "$1" | xargs -I '{}' find '{}' -maxdepth 1 -type f ! -name '*.png' ! -name '*.h' |
        xargs -r cat | LC_ALL=C grep -aoE '[A-Za-z_]{3,24}(:|=|>)|"[a-z_]{2,24}"' | LC_ALL=C sort -u | head -n 400 |
        sed 's/"/\\"/g; s/.*/"&"/' >"$2"
}

# run TARGET: fuzzes it and leaves its log, and what was found.
run() {
    found=$root/build/fuzz/findings/$1 kept=$root/build/fuzz/corpus/$1
    mkdir -p "$found" "$kept"
    words "$1" "$found/words"
    dictionary=
    [ ! -s "$found/words" ] || dictionary=-dict=$found/words
    # Lines of leaks, undefined behaviour and aborts all end the process; a slow unit is none.
    # shellcheck disable=SC2046,SC2086 # folders of the repository, options
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=64 \
        "$fuzz" --target="$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="$found/" ${dictionary:+"$dictionary"} -print_final_stats=1 ${FUZZ_FLAGS-} \
        "$kept" $(seeds "$1") >"$found/log" 2>&1
    echo $? >"$found/rc"
}

# row TARGET: a line of the table; false with a finding.
row() {
    found=$root/build/fuzz/findings/$1
    findings=$(find "$found" -newer "$found/words" \( -name 'crash-*' -o -name 'leak-*' -o -name 'timeout-*' -o -name 'oom-*' \) | wc -l)
    [ "$(cat "$found/rc")" = 0 ] || [ "$findings" -gt 0 ] || findings=1 # it ended without an input to keep
    awk -v target="$1" -v findings="$findings" '
        / cov: / {
            for (k = 1; k < NF; k++)
                if ($k == "cov:") last = $(k + 1)
            if (/INITED/) first = last
            if ($1 ~ /^#/) runs = substr($1, 2)
        }
        /number_of_executed_units/ { runs = $2 }
        /average_exec_per_sec/ { rate = $2 }
        END { printf "%-11s %9d %7d %9d %7d %9d\n", target, runs, rate, last, last - first, findings }' "$found/log"
    [ "$findings" -eq 0 ] || {
        grep -aE 'ERROR: |SUMMARY: |runtime error: |Test unit written' "$found/log" | sed 's/^/    /' | head -n 6
        return 1
    }
}

jobs=${FUZZ_JOBS:-2}
say "fuzzing $# targets, $seconds s each, $jobs at a time"
# lane NUMBER TARGET...: every $jobs-th target, one after the other, so that no processor waits for what the other does.
lane() {
    turn=$1
    shift
    for target in "$@"; do
        [ $((turn % jobs)) -ne 0 ] || run "$target"
        turn=$((turn + 1))
    done
}
for number in $(seq "$jobs"); do
    lane "$number" "$@" &
done
wait
result=0
printf '%-11s %9s %7s %9s %7s %9s\n' target runs runs/s coverage new findings
for target in "$@"; do
    row "$target" || result=1
done
exit $result
