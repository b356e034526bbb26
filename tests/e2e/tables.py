"""Compares figures in the tables of documents with the commands that make them.

    tables.py VALIDATE DOCUMENT...

A table whose last column is headed `validate run` names in each row the experiment that gives the figures of the column
"model": the first figure of that cell must be a result of that experiment, rounded as it stands there (a percentage: times
100). Of a cell with several figures, parted by ", " or " / ", those of the same form are looked for, too. Options that the
heading names hold for all rows.
"""

import json
import re
import subprocess
import sys

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
LIST = re.compile(r"^\W*(-?\d+(?:\.\d+)?(?:(?:, | / | and )-?\d+(?:\.\d+)?)*)")
cache = {}


def results(validate, words):
    """The measured figures of an experiment."""
    key = tuple(words)
    if key not in cache:
        command = [validate, "run", *words, "--json", "--threads", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"tables.py: {' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
        cache[key] = [row["measured"] for row in json.loads(done.stdout)["results"] if row["measured"] is not None]
    return cache[key]


def is_among(figure, values):
    """True when a value, or its hundredfold, is rounded to the figure; the sign does not count."""
    decimals = len(figure.split(".")[1]) if "." in figure else 0
    most = 0.5000001 * 10.0**-decimals
    return any(abs(abs(value * scale) - abs(float(figure))) <= most for value in values for scale in (1.0, 100.0))


def cells(line):
    """The cells of a row, figures without commas between their thousands."""
    line = re.sub(r"(?<=\d),(?=\d{3}\b)", "", line)
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def check(validate, name, text):
    """Returns the number of figures compared, and what is wrong with them."""
    lines, wrong, compared, k = text.splitlines(), [], 0, 0
    while k + 1 < len(lines):
        head = cells(lines[k]) if lines[k].startswith("|") else []
        if not head or "`validate run`" not in head[-1] or "model" not in head:
            k += 1
            continue
        options = re.findall(r"`(--set [^`]*)`", head[-1])
        k += 2
        while k < len(lines) and lines[k].startswith("|"):
            row = cells(lines[k])
            command = re.match(r"`([^`]+)`", row[-1])
            found = LIST.match(row[head.index("model")])
            if command and found:
                values = results(validate, (command.group(1) + " " + " ".join(options)).split())
                for figure in NUMBER.findall(found.group(1)):
                    compared += 1
                    if not is_among(figure, values):
                        wrong.append(f"{name}:{k + 1}: {row[0]}: {figure} is no result of validate run {command.group(1)}")
            k += 1
    return compared, wrong


def main():
    validate, documents = sys.argv[1], sys.argv[2:]
    total, faults = 0, []
    for name in documents:
        with open(name, encoding="utf-8") as file:
            compared, wrong = check(validate, name, file.read())
        total += compared
        faults += wrong
    print("\n".join(faults))
    print(f"tables.py: {total} figures compared, {len(faults)} wrong")
    sys.exit(1 if faults or total == 0 else 0)


if __name__ == "__main__":
    main()
