#!/bin/sh
# test: long
# Scripts, parents, folders and people whose names hold what no terminal and no JSON takes: what they drove waits, is stored, listed,
# proven, exported and taken in as everybody's is. One verdict stands in the whole summary.
. "$(dirname "$0")/common.inc"
for tool in sqlite3 python3; do
    command -v $tool >/dev/null 2>&1 || { echo "$script: needs $tool (trainer/packages.txt)" && exit 77; }
done

# good CODE ARGS...: the program ends so.
good() {
    wanted=$1
    shift
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: ended with $code, wanted $wanted: $(cat err)"
}

# json PYTHON: an expression of d, the answer in `out`, is true.
json() {
    python3 -c "import json, sys
d = json.load(open('out'))
sys.exit(0 if ($1) else str(d)[:600])" || wrong "not true: $1"
}

# A reader holds the results while a script with a tab in its name ends: its attempt waits, and is stored.
mkdir odd "$(printf 't\tb\351')"
printf 't,swing\n0,0.5\n3,0\n' >"$(printf 'odd/le\tv.csv')"
printf 't,swing\n0,0.5\n3,0\n' >"$(printf 'odd/h\351.csv')"
locked=$(printf 't\tb\351/r.db')
for results in r.db "$locked"; do
    good 0 run free --headless --operator auto --seconds 0.5 --no-record --results "$results"
    (printf 'BEGIN;\nSELECT count(*) FROM attempt;\n' && sleep 25) | sqlite3 "$results" >held &
    reader=$!
    for _ in $(seq 100); do
        [ ! -s held ] || break
        sleep 0.1
    done
    sqlite3 "$results" 'PRAGMA busy_timeout = 0; BEGIN IMMEDIATE' >/dev/null 2>&1
    good 0 run free --headless --operator "$(printf 'odd/le\tv.csv')" --trainee Ann --no-record --results "$results"
    grep -q 'the attempt waits in' err || wrong "nothing waits: $(cat err)"
    kill $reader 2>/dev/null
    wait $reader 2>/dev/null
    sleep 0.2
    good 0 results --results "$results" --json
    json 'len(d) == 2 and d[1]["trainee"] == "Ann" and d[1]["operator"].startswith("odd/le?v.csv")'
    [ "$(find "$XDG_DATA_HOME" -name '*.json*' | wc -l)" -eq 0 ] || wrong "it waits on: $(find "$XDG_DATA_HOME" -name '*.json*')"
done

# Bytes that are no character, in results and statements.
good 0 run free --headless --operator "$(printf 'odd/h\351.csv')" --trainee Ann --no-record --results r.db --json
json 'd["operator"] == "odd/h?.csv" and d["passed"] is False'
good 0 results --xapi --results r.db
json 'len(d) == 2'
# A class goes out and in with them, and with a name that an older program has taken.
sqlite3 r.db "UPDATE attempt SET operator = 'le' || char(9) || 'v.csv'"
good 0 results class add K Ann --results r.db
good 0 results export-class K k.json --results r.db
good 0 results import-class k.json --results other.db
good 0 results --results other.db --json
json 'len(d) == 2'
sqlite3 r.db "UPDATE trainee SET name = char(27) || '[31mEvil' || char(8238) || 'x'"
for list in trainees courses 'delete --dry-run --yes Nobody' ''; do
    # shellcheck disable=SC2086 # words
    run results $list --results r.db
    ! LC_ALL=C grep -q "$(printf '\033\|\342\200\256')" out err || wrong "results $list shows control characters"
done

# One verdict: a scripted run under a trainee's name passes nothing, in the summary's figures neither.
cp "$root"/tests/support/targets*.yaml .
good 0 run ./targets.yaml --headless --operator expert:./targets-expert.yaml --trainee Ann --record a.spade --results v.db --json
json 'd["passed"] is False and d["metrics"]["passed"] == 0 and d["metrics"]["score"] > 90'

# Practice that was begun by a link to a recording, or with clumsiness of many digits, is proven.
ln -s a.spade link.spade
good 0 resume link.spade --at 5 --operator auto --seconds 1 --headless --record b.spade --results v.db --json
json '"passed" not in d["metrics"] and "score" not in d["metrics"] and d["practice"]["parent"] == "link.spade"'
good 0 run free --headless --operator auto --clumsy 0.1234567891 --seconds 0.5 --record c.spade --results v.db
good 0 results verify --results v.db
grep -q '^3 of 3 attempts are proven' out || wrong "not proven: $(cat out)"
cp a.spade "$(printf 'ev\033[31mil\tx.spade')"
good 0 resume "$(printf 'ev\033[31mil\tx.spade')" --at 5 --operator auto --seconds 1 --headless --no-record
! LC_ALL=C grep -q "$(printf '\033')" out err || wrong "the summary shows control characters"
exit $result
