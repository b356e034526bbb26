#!/bin/sh
# test: long
# README.md's table of published measurements and docs/truth.md are what the command writes (tests/truth.sh): as documents
# against each other, and for the sets that take seconds against a run. `sh tests/truth.sh --check` runs all sets.
. "$(dirname "$0")/validate.inc"
quick='draft-against-rake draft-by-speed round-plates slip-sinkage slope-slip track-sinkage'
for set in $quick; do
    run run measured --set of="$set" --json
    [ $code -eq 0 ] || [ $code -eq 3 ] || wrong "$set: exit $code: $(cat err)"
    mv out "$set.json"
done
saved=$(printf '%s.json ' $quick)

# checked FOLDER: whether its README.md and docs/truth.md are right.
checked() {
    # shellcheck disable=SC2086 # names without blanks
    SOURCE_DIR="$1" sh "$root/tests/truth.sh" --check $saved >out 2>err
}
checked "$root" || wrong "run sh tests/truth.sh: $(cat out err)"

# planted TEXT FILE SED: documents that SED changes are refused, with this text.
planted() {
    rm -rf planted && mkdir -p planted/docs && cp "$root/README.md" planted && cp "$root/docs/truth.md" planted/docs
    sed "$3" planted/"$2" >changed && mv changed planted/"$2"
    cmp -s planted/"$2" "$root/$2" && wrong "no fault to find: $3"
    checked planted && wrong "passes: $3 in $2"
    grep -q -F -e "$1" out || wrong "'$1' is not in: $(cat out err)"
}
table="README.md's table (>) is not that of docs/truth.md (<)"
planted "$table" README.md '/^| track-sinkage |/s/ [0-9]* of [0-9]* / 9 of 9 /'
planted "$table" README.md '/^| round-plates |/s/ [0-9]* % / 1000 % /'
planted "$table" README.md '/^| all |/s/ [0-9]* % / 1000 % /'
planted "$table" README.md '/^| slope-slip |/d'
planted "$table" docs/truth.md '/^| dozing |/s/ [0-9]* % / 1000 % /'
planted 'docs/truth.md (>) has not the shipped sets (<)' docs/truth.md '/^| dozing |/d'
planted 'track-sinkage: docs/truth.md (>) is not what the command writes (<)' docs/truth.md \
    '/^| track-sinkage | loam |/s/ [0-9.]* | [0-9]* % / 20.1 | 11 % /'
planted 'slope-slip: docs/truth.md (>) is not what the command writes (<)' docs/truth.md '/^- [*][*]slope-slip/s/2026/2025/'
exit $result
