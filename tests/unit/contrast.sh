#!/bin/sh
# The instructor's pages can be read by everybody: each colour stands out from what is behind it as WCAG 2.1 asks at level AA
# (1.4.3 and 1.4.11), in the light and in the dark: text 4.5 to 1, bars and rims 3 to 1.
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
command -v python3 >/dev/null 2>&1 || { echo "contrast.sh: needs python3 (trainer/packages.txt)" && exit 77; }
exec python3 - "$root/data/console/console.css" <<'END'
import re
import sys

TEXT = [("ink", "back"), ("ink", "panel"), ("ink", "track"), ("dim", "panel"), ("dim", "back"), ("over", "panel"), ("good", "panel"),
        ("bar", "panel")]
SHAPES = [("bar", "track"), ("over", "track"), ("line", "panel")]


def luminance(colour):
    parts = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


css = open(sys.argv[1], encoding="utf-8").read()
schemes = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", body)) for body in re.findall(r":root \{(.*?)\}", css, re.S)]
schemes = [colours for colours in schemes if "ink" in colours]
wrong = [] if len(schemes) == 2 else [f"{len(schemes)} schemes of colours; 2 are expected"]
for name, colours in zip(("light", "dark"), schemes):
    for least, pairs in ((4.5, TEXT), (3.0, SHAPES)):
        for front, behind in pairs:
            ratio = contrast(colours[front], colours[behind])
            if ratio < least:
                wrong.append(f"{name}: --{front} on --{behind}: {ratio:.2f} to 1, allowed from {least} to 1 on")
if contrast("#ffffff", "#0b57a4") < 4.5:
    wrong.append("white on the main button")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
END
