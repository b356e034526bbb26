#!/bin/sh
# test: long
# Figures in the tables of documents are those that the commands beside them print (tables.py).
. "$(dirname "$0")/validate.inc"
command -v python3 >/dev/null || { echo "$script: python3 is missing; tests/run.sh installs it" && exit 1; }
tables() { python3 "$root/tests/e2e/tables.py" "$spadework" "$@"; }

cat >own.md <<'END_OF_TABLE'
| | expected | model | error | allowed | `validate run` |
|---|---|---|---|---|---|
| dig depth | 6.7 | 6.70 | | | `reach` |
END_OF_TABLE
tables own.md >out || wrong "a table that is right: $(cat out)"
sed 's/6.70/6.72/' own.md >wrong.md
tables wrong.md >out && wrong "a wrong figure is not found"
grep -q 'wrong.md:3: dig depth: 6.72 is no result of validate run reach' out || wrong "a wrong figure: $(cat out)"
tables /dev/null >out && wrong "a document without figures passes"

tables "$root/docs/machine-model.md" >out || wrong "$(cat out)"
cat out
exit $result
