"""Sums up what lookers cost (tests/lookers.sh): lookers.py FOLDER NAME DRIVE...

FOLDER has of each drive `ticks-DRIVE`, its telemetry, and `stretches-DRIVE`: lines of `alone` or `seen`, then the drive's time
in s, ns of its thread and ns of the console's at the stretch's begin, and the same at its end. Prints one row: the median and the 99th
percentile of a tick in ms, ms of processor time of the drive's thread for a tick and of the console's in a second, without and with
lookers, and the ratios of the first three.
"""
import csv
import sys


def figures(folder, drives, kind):
    times, drive, console = [], 0.0, 0.0
    for number in drives:
        with open(f"{folder}/ticks-{number}", newline="") as file:
            of_tick = [float(row["tick_ms"]) for row in csv.DictReader(file)]
        with open(f"{folder}/stretches-{number}") as file:
            for line in file:
                name, *rest = line.split()
                begin, drive_from, console_from, end, drive_to, console_to = map(float, rest)
                if name == kind:
                    times += of_tick[round(begin * 60):round(end * 60)]  # 60 ticks a second; the first row is of tick 1
                    drive += (drive_to - drive_from) / 1e6
                    console += (console_to - console_from) / 1e6
    times.sort()
    count = len(times)
    return times[(count - 1) // 2], times[int((count - 1) * 0.99)], drive / count, console / (count / 60.0)


def main(folder, name, *drives):
    alone, seen = (figures(folder, drives, kind) for kind in ("alone", "seen"))
    row = "   ".join("{:8.2f} {:8.2f} {:9.3f} {:10.2f}".format(*figure) for figure in (alone, seen))
    print(f"{name:>5} {row}   " + " ".join(f"{b / a:.3f}" for a, b in zip(alone[:3], seen[:3])), flush=True)


main(*sys.argv[1:])
