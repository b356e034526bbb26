"""Compares figures in the tables of documents with the commands that make them.

    tables.py VALIDATE UNCHECKED DOCUMENT...

Each row with a figure is compared with a command or listed in the file UNCHECKED with the reason why it is not.

A table is compared when its last column is headed `validate run`. That cell of a row names the experiment, `reach`,
and may name results, `cycle`: swing; then only those count whose name has these words. "The same" repeats the row
before. Options in the heading hold for all rows. The figures are those of the column "model", or, where there is
none, of all columns but the first, the last and those of PUBLISHED. A column that is headed by a solver, `p2`, is
measured with it; any other, as "wet clay", takes the results whose name begins with it, "wet-clay: ". Each figure of
such a cell must be a result, rounded as it stands there (or the result times 100: a percentage, centimetres); in
parentheses it may also be what the experiment expects. Percentages of the column "error" are those of a result from
what is expected.

UNCHECKED has reasons, and indented below each the rows that it holds for: the document and the beginning of the row,
or of the table's heading, which stands for all rows. A line that covers no row with figures, or a row with a command,
is a fault.
"""

import json
import re
import subprocess
import sys

NUMBER = r"\d+(?:\.\d+)?(?:e[-+]?\d+)?"
FIGURE = re.compile(rf"(?<![\w.])-?{NUMBER}(?!\w)")
PERCENTAGE = re.compile(rf"([-+]?{NUMBER}) %")
SOLVERS = ("default", "p2", "gs")
PUBLISHED = ("allowed", "error", "expected", "published", "specification")
cache = {}


def run(validate, words):
    """The results of an experiment."""
    key = tuple(words)
    if key not in cache:
        command = [validate, "run", *words, "--json", "--threads", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"tables.py: {' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
        cache[key] = [row for row in json.loads(done.stdout)["results"] if row["measured"] is not None]
    return cache[key]


def is_rounded(figure, value):
    """True when the value is rounded to the figure; the sign does not count."""
    mantissa, _, exponent = figure.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or "0")
    return abs(abs(value) - abs(float(figure))) <= 0.5000001 * 10.0**-decimals


def cells(line):
    """The cells of a row, figures without commas between their thousands."""
    line = re.sub(r"(?<=\d),(?=\d{3}\b)", "", line)
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def has_figure(line):
    """True when a row has a digit outside code and addresses."""
    return re.search(r"\d", re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)) is not None


def tables(text):
    """The tables of a document outside fenced blocks: heading and rows, each with the number of its line, from 0."""
    lines, fenced, k = text.splitlines(), False, 0
    while k < len(lines):
        fenced ^= lines[k].lstrip().startswith("```")
        first = k
        while not fenced and k < len(lines) and lines[k].lstrip().startswith("|"):
            k += 1
        if k - first > 2:
            yield lines[first].strip(), [(row, lines[row].strip()) for row in range(first + 2, k)]
        k = max(k, first + 1)


def wrong_figures(results, cell, error):
    """How many figures of a cell and of its error were compared, and those that are no result, with what is near."""
    plain, wrong, compared = re.sub(r"\([^)]*\)", "", cell), [], 0
    for text, may_be_expected in ((plain, False), (" ".join(re.findall(r"\([^)]*\)", cell)), True)):
        values = [(row["quantity"], row["measured"]) for row in results]
        if may_be_expected:
            values += [(row["quantity"], row["expected"]) for row in results if row["expected"] is not None]
        values += [(name, 100.0 * value) for name, value in values]
        for figure in FIGURE.findall(text):
            compared += 1
            if not any(is_rounded(figure, value) for _, value in values):
                name, value = min(values, key=lambda pair: abs(abs(pair[1]) - abs(float(figure))))
                wrong.append((figure, f"{value:.6g}, {name}"))
    errors = [(row["quantity"], 100.0 * (row["measured"] / row["expected"] - 1.0)) for row in results
              if row["expected"]]
    for figure in PERCENTAGE.findall(error):
        compared += 1
        if not any(is_rounded(figure, value) and float(figure) * value >= 0.0 for _, value in errors):
            name, value = min(errors, key=lambda pair: abs(pair[1] - float(figure)), default=("", float("nan")))
            wrong.append((figure + " %", f"{value:+.3g} %, {name}"))
    return compared, wrong


class Table:
    """One table whose last column is headed `validate run`."""

    def __init__(self, validate, heading):
        self.validate, self.head, self.command = validate, cells(heading), None
        self.options = " ".join(re.findall(r"`(--[^`]*)`", self.head[-1]))
        self.columns = [k for k in range(1, len(self.head) - 1) if self.head[k] not in PUBLISHED]
        if "model" in self.head:
            self.columns = [self.head.index("model")]

    def results(self, column, words):
        """The results that a column is about, of those whose name has the words."""
        solver, command = self.head[column].strip("`"), f"{self.command} {self.options}"
        if solver in SOLVERS:
            command += f" --solver {solver}"
        of = "" if solver in (*SOLVERS, "model") else self.head[column].replace(" ", "-") + ": "
        return [row for row in run(self.validate, command.split())
                if row["quantity"].startswith(of) and words in row["quantity"]]

    @staticmethod
    def named(line):
        """The command and the results that a row names, or None."""
        return re.match(r"(?:`([^`]+)`|the same)(?:: (.*))?$", cells(line)[-1])

    def check(self, line):
        """Compares a row: how many figures, and what is wrong; None when the row names no command."""
        row, named = cells(line), self.named(line)
        if not named:
            return None
        self.command = named.group(1) or self.command
        if self.command is None:
            return 0, ["no row above names a command"]
        compared, wrong = 0, []
        for column in self.columns:
            results = self.results(column, named.group(2) or "")
            if not results:
                wrong.append(f"validate run {self.command} has no such result for {self.head[column]}")
                continue
            error = row[self.head.index("error")] if "error" in self.head else ""
            count, faults = wrong_figures(results, row[column], error)
            compared += count
            wrong += [f"{figure} is no result of validate run {self.command}; near: {near}" for figure, near in faults]
        return compared, wrong


def unchecked_rows(path):
    """Documents and beginnings of rows that are not compared."""
    reason, listed = None, []
    with open(path, encoding="utf-8") as file:
        for line in filter(str.strip, file):
            if not line.startswith(" "):
                reason = line.strip()
            elif reason is None:
                sys.exit(f"tables.py: {path}: no reason above: {line.strip()}")
            else:
                listed.append(tuple(line.strip().split(" ", 1)))
    return listed


def check(validate, name, text, listed):
    """Returns the number of figures compared, what is wrong with them, and the lines of the list that cover a row."""
    wrong, total, used = [], 0, set()
    for heading, rows in tables(text):
        table = Table(validate, heading) if "`validate run`" in cells(heading)[-1] else None
        whole = {entry for entry in listed if entry[0] == name and heading.startswith(entry[1])}
        for number, line in rows:
            place = f"{name}:{number + 1}: {cells(line)[0]}"
            covered = whole | {entry for entry in listed if entry[0] == name and line.startswith(entry[1])}
            if covered or not has_figure(line):
                used |= covered if has_figure(line) else set()
                if covered and table and table.named(line):
                    wrong.append(f"{place}: listed as unchecked, and names a command")
                continue
            compared, faults = (table and table.check(line)) or (0, [])
            if compared == 0 and not faults:
                faults = ["neither compared with a command nor listed as unchecked"]
            total += compared
            wrong += [f"{place}: {fault}" for fault in faults]
    return total, wrong, used


def main():
    validate, unchecked, documents = sys.argv[1], sys.argv[2], sys.argv[3:]
    listed = unchecked_rows(unchecked)
    total, faults, used = 0, [], set()
    for name in documents:
        with open(name, encoding="utf-8") as file:
            compared, wrong, covering = check(validate, name, file.read(), listed)
        total += compared
        faults += wrong
        used |= covering
    faults += [f"{' '.join(entry)}: listed as unchecked, and no such row has a figure" for entry in listed
               if entry not in used]
    print("\n".join(faults))
    print(f"tables.py: {total} figures compared, {len(faults)} wrong")
    sys.exit(1 if faults or total == 0 else 0)


if __name__ == "__main__":
    main()
