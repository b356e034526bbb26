#!/bin/sh
# The plan of every shipped scene is drawn, as PNG and SVG, and nothing else is written over.
. "$(dirname "$0")/common.inc"

for scene in "$root"/data/scenes/*.yaml; do
    name=$(basename "$scene" .yaml)
    run preview "$name" -o "$name.png"
    [ $code -eq 0 ] || wrong "$name: exit $code: $(cat err)"
    [ "$(od -A n -t x1 -N 8 "$name.png" | tr -d ' \n')" = 89504e470d0a1a0a ] || wrong "$name.png is no picture"
done
run preview trench -o trench.svg
[ $code -eq 0 ] && grep -q '</svg>' trench.svg || wrong "trench.svg: exit $code"
# Dashed are the reach of an arm and the roads of empty trucks: one and two lines.
for scene in pad:0 trench:1 haul:3; do
    run preview "${scene%:*}" -o dashes.svg
    [ "$(grep -c stroke-dasharray dashes.svg)" -eq "${scene#*:}" ] || wrong "$scene: $(grep -c stroke-dasharray dashes.svg) dashed lines"
done
run preview trench -o trench.svg
[ $code -eq 0 ] || wrong "an older plan is not replaced: $(cat err)"
echo mine >mine.png
run preview trench -o mine.png
[ $code -eq 4 ] && [ "$(cat mine.png)" = mine ] || wrong "writes over what is no picture: exit $code"
run preview trench -o plan.txt
[ $code -eq 2 ] && grep -q 'ends in .png or .svg' err || wrong "plan.txt: exit $code: $(cat err)"
run preview nosuch -o plan.png
[ $code -eq 1 ] && [ ! -e plan.png ] || wrong "a scene that there is not: exit $code"
run preview trench
[ $code -eq 2 ] || wrong "without -o: exit $code"
[ $result -eq 0 ] && echo "preview.sh: every scene has its plan"
exit $result
