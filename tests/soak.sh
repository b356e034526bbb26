#!/bin/sh
# Drives for hours, and by random levers, and looks after every tick whether something breaks: sh tests/soak.sh [HOURS]
#   HOURS                   simulated, of all parts together (8): `soak parts` lists them, with their shares
#   scripts [COUNT] [SEED]  random operator scripts instead (1000) of 10 to 20 s each, from a seed on (1)
#   SOAK_JOBS               processes at a time (2)
# Prints a table; ends with 1 when something is wrong. What is left in build/soak: the log of each process, the recording of the
# stretch with a fault, and the scripts that failed, made small. To see one again:
#   build/release/bin/soak repeat SCENE build/soak/SCENE-SEED.csv SECONDS [KEY=VALUE]
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

kept=$root/build/soak
jobs=${SOAK_JOBS:-2}

# number NAME VALUE: refuses what is none, and 0.
number() {
    case $2 in
    '' | *[!0-9.]* | *.*.* | .) fail 2 "tests/soak.sh: $1 $2: a number is allowed" ;;
    esac
    [ -n "$(printf '%s' "$2" | tr -d '0.')" ] || fail 2 "tests/soak.sh: $1 $2: more than 0 is allowed"
}

# start NAME ARGUMENTS...: runs the program with its output in NAME.log and its exit status in NAME.rc.
start() {
    name=$1
    shift
    ("$soak" "$@" >"$kept/$name.log" 2>&1; echo $? >"$kept/$name.rc") &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait
        running=0
    fi
}

# judge NAME...: false when one of them was wrong.
judge() {
    result=0
    for name in "$@"; do
        [ "$(cat "$kept/$name.rc")" = 0 ] || result=1
        [ "$(cat "$kept/$name.rc")" -le 1 ] || tail -n 3 "$kept/$name.log" >&2
    done
    return $result
}

drive() {
    "$soak" parts >"$kept/parts" || exit 1
    say "driving $1 simulated hours, $jobs parts at a time"
    # The long ones first.
    sort -k 2,2nr "$kept/parts" >"$kept/sorted"
    while read -r part share; do
        start "$part" drive "$part" "$(awk -v hours="$1" -v share="$share" 'BEGIN { print hours * share }')" "$kept"
    done <"$kept/sorted"
    wait
    printf '%-12s %6s %8s %8s %16s %8s %8s %6s %4s\n' part hours sessions longest quanta restored verified grains ode
    while read -r part share; do
        sed -n 's/^ROW //p' "$kept/$part.log"
    done <"$kept/parts"
    while read -r part share; do
        grep -E ': p99 of a tick|WRONG in' "$kept/$part.log"
    done <"$kept/parts"
    # shellcheck disable=SC2046 # names of parts
    judge $(cut -d ' ' -f 1 "$kept/parts")
}

# scripts COUNT SEED: as many processes as there are jobs, each with its share of the seeds.
scripts() {
    say "driving $1 scripts from seed $2 on, $jobs processes"
    names='' first=$2 left=$1 job=$jobs
    while [ "$left" -gt 0 ] && [ "$job" -gt 0 ]; do
        share=$(((left + job - 1) / job))
        names="$names scripts-$first"
        start "scripts-$first" scripts "$share" "$first" "$kept"
        first=$((first + share)) left=$((left - share)) job=$((job - 1))
    done
    wait
    # shellcheck disable=SC2086 # names of processes
    for name in $names; do
        grep -A 5 WRONG "$kept/$name.log"
    done
    printf '%-16s %7s %8s %6s\n' scene scripts s faults
    # shellcheck disable=SC2046,SC2086
    awk '/^scene / { table = 1; next } /^worst/ { table = 0 } table { scripts[$1] += $2; seconds[$1] += $3; faults[$1] += $4 }
        END {
            for (name in scripts)
                printf "%-16s %7d %8d %6d\n", name, scripts[name], seconds[name], faults[name]
        }' $(printf "$kept/%s.log " $names) | LC_ALL=C sort
    # shellcheck disable=SC2086
    judge $names
}

mode=drive hours=8 count=1000 seed=1
case ${1-} in
scripts)
    mode=scripts count=${2:-1000} seed=${3:-1}
    number COUNT "$count"
    case $seed in
    '' | *[!0-9]*) fail 2 "tests/soak.sh: SEED $seed: a whole number is allowed" ;;
    esac
    ;;
'') ;;
*)
    hours=$1
    number HOURS "$hours"
    ;;
esac
install_packages program run test
build_preset release soak || exit 1
soak=$root/build/release/bin/soak
mkdir -p "$kept"
running=0
if [ $mode = scripts ]; then
    scripts "$count" "$seed"
else
    drive "$hours"
fi
