"""Sums up what lookers cost (tests/watching_pages.sh): lookers.py FOLDER NAME DRIVE...

FOLDER has of each drive `ticks-DRIVE`, its telemetry, and `stretches-DRIVE`: lines of `alone` or `seen`, then the drive's time
in s, ns of its thread and ns of the console's at the stretch's begin, and the same at its end. Of two drives that follow each
other those ticks count that one did alone and the other with lookers: they had the same work. Prints one row: the median and the
99th percentile of a tick in ms, ms of processor time of the drive's thread for a tick and of the console's in a second, without and
with lookers, and the ratios of the first three.
"""
import csv
import sys

TICKS = 60  # a second


class Drive:
    def __init__(self, folder, number):
        with open(f"{folder}/ticks-{number}", newline="") as file:
            self.ms = {int(row["tick"]): float(row["tick_ms"]) for row in csv.DictReader(file)}
        self.ticks = {"alone": set(), "seen": set()}
        self.cost = {"alone": [0, 0.0, 0.0], "seen": [0, 0.0, 0.0]}  # ticks, ms of the drive's thread, ms of the console's
        with open(f"{folder}/stretches-{number}") as file:
            for line in file:
                kind, *rest = line.split()
                begin, drive_from, console_from, end, drive_to, console_to = map(float, rest)
                ticks = range(round(begin * TICKS) + 1, round(end * TICKS) + 1)
                self.ticks[kind].update(ticks)
                for k, spent in enumerate((len(ticks), (drive_to - drive_from) / 1e6, (console_to - console_from) / 1e6)):
                    self.cost[kind][k] += spent


def figures(times, costs):
    times.sort()
    ticks, drive, console = (sum(column) for column in zip(*costs))
    return times[(len(times) - 1) // 2], times[int((len(times) - 1) * 0.99)], drive / ticks, console / (ticks / TICKS)


def main(folder, name, *numbers):
    drives = [Drive(folder, number) for number in numbers]
    alone, seen = [], []
    for first, second in zip(drives[::2], drives[1::2]):
        for one, other in ((first, second), (second, first)):
            same = sorted(one.ticks["alone"] & other.ticks["seen"])
            alone += [one.ms[tick] for tick in same]
            seen += [other.ms[tick] for tick in same]
    rows = [figures(times, [drive.cost[kind] for drive in drives]) for times, kind in ((alone, "alone"), (seen, "seen"))]
    print(f"{name:>5} {len(alone):6} " + "   ".join("{:8.2f} {:8.2f} {:9.3f} {:10.2f}".format(*row) for row in rows) + "   " +
          " ".join(f"{with_ / without:.3f}" for without, with_ in zip(rows[0][:3], rows[1][:3])), flush=True)


main(*sys.argv[1:])
