#!/usr/bin/env python3
"""Holds the commands that documents show to what the program takes; run by documents.sh.

    documents.py WORK FILE.md...    checks each command of the files in the folder WORK, which documents.sh has prepared
    documents.py --itself           checks that faults are found: broken documents, one fault each

A command is a line of a fenced block, or inline code, that begins with `spadework`, `sh`, one of our other programs
(validate, bench, soak, fuzz), or, inline, with a command of spadework and something behind it (`replay --verify`).
Of spadework each is parsed by `spadework --check-usage`, and run where it needs no window, broker, device or server:
drives without a window and for a tenth of a second, whatever the document says. Others are run as such a drive, so that
scenes, experts, courses, maps and attachments that they name must be there. Of shell scripts the file and the words that
the command gives must be there. What stands for a placeholder is in the tables below.
"""
import os
import re
import shlex
import subprocess
import sys

ROOT = os.environ["SOURCE_DIR"]
SPADEWORK = os.environ["SPADEWORK"]
BIN = os.path.dirname(SPADEWORK)

# What stands for a placeholder: pattern of a whole command, and its replacement. In this order; the first rows are of
# single commands, the last of words that mean the same everywhere. `$NEW` is a name that no file has yet.
PLACEHOLDERS = [
    (r"^(\S*/)?bin/spadework\b", "spadework"),
    (r"^spadework COMMAND --help$", "spadework run --help"),
    (r"^spadework --check-usage ARGS\.\.\.$", "spadework --check-usage run trench"),
    (r"\bresults progress (NAME|Ada|Ann)\b", "results progress Ann"),
    (r"\bresults class add Spring Ada\b", "results class add Spring Ann"),
    (r"\bresults delete (NAME|Ada)\b(?! --dry-run)", "results delete Bob --dry-run"),
    (r"\bresults delete (NAME|Ada)\b", "results delete Bob"),
    (r"\bresults add \S+$", "results add $RECORDING --results $NEW.db"), # one that has it refuses it
    (r"\bresults (import-class)$", r"results \1 $CLASS"),
    (r"\b(station init) NAME\b", r"\1 Simulator"),
    (r"\b(station trust) KEY NAME\b", r"\1 " + 64 * "a" + " Other"),
    (r"\bexpert:NAME\b", "expert:free"),
    (r"^spadework run NAME\b", "spadework run trench"),
    (r"\bsh data/pictures/scenes/make.sh NAME\b", "sh data/pictures/scenes/make.sh"),
    (r"\b(validate run) NAME\b", r"\1 shear"),
    (r"\b(bench run) NAME\b", r"\1 tick"),
    (r"--set (soil)=S\b", r"--set \1=sand"),
    (r"\bSCENE\b", "trench"),
    (r"\bmy-trench\.yaml\b", "$NEW.yaml"),
    (r"(new course )mine\b", r"\1$NEW"),
    (r"(--from trench )my-trench\b", r"\1$NEW"),
    (r"\brun my-trench\b", "run $OWN"),
    (r"\b(scene) other\b", r"\1 trench"),
    (r"(--record )\S+", r"\1$NEW.spade"),
    (r"(--ghost )(E\.spade|OTHER|REC)\b", r"\1$OTHER"),
    (r"(-o )\w+\.(\w+)\b", r"\1$NEW.\2"),
    (r"(--(?:csv|mcap|pdf) )\w+\.(\w+)\b", r"\1$NEW.\2"),
    (r"(--events )\S+", r"\1$NEW.csv"),
    (r"(--telemetry )\S+", r"\1$NEW.csv"),
    (r"(--(?:ply|urdf) )DIR\b", r"\1$NEW"),
    (r"(--gltf )\S+\.glb\b", r"\1$NEW.glb"),
    (r"\b(model) MACHINE\b", r"\1 excavator-22t"),
    (r"(--hdf5 )\S+", r"\1$NEW.hdf5"),
    (r"\breplay d\.hdf5\b", "replay $DEMONSTRATION"),
    (r"(--operator )FILE\.csv\b", r"\1$SCRIPT"),
    (r"(--orders )FILE\.csv\b", r"\1$ORDERS"),
    (r"\bFILE\.csv\b", "$SCRIPT"),
    (r"\b(check) house-pad\.xml swale\.png\b", r"\1 $XML $PNG"),
    (r"\b(check) house-pad\.xml$", r"\1 $XML"),
    (r"\b(volume) FROM\.xml TO\.xml\b", r"\1 $XML $XML"),
    (r"\b(check) FILE\b", r"\1 $YAML"),
    (r"(--controls )\./my-cab\.yaml\b", r"\1$MAP"),
    (r"\b(calibrate) (MAP|my-cab)\.yaml\b", r"\1 $NEW.yaml"),
    (r"\b(reference) scene\b", r"\1 scene"),
    (r"\b(R|a|b|dig)\.spade\b|\bREC(ORDING)?\b", "$RECORDING"),
    (r"\b(broker) URL\b", r"\1 mqtt://class.local"),
    (r"(--(?:console|port) )PORT\b", r"\g<1>0"),
    (r"(--broker-password-file |--token )FILE\b", r"\1password"),
    (r"\bmqtt://H\b", "mqtt://class.local"),
    (r"\bHOST:PORT\b", "localhost:4600"),
    (r"(--events )FILE\b", r"\1$NEW.csv"),
    (r"\.\.\.(?= |$)", ""),  # and more of them
]

# Programs of others, and words that only look like a command.
NOT_OURS = re.compile(r"^(cmake|cpack|ctest|ninja|mosquitto_sub|sudo|echo|git|apt|export|valgrind|ldd)\b|^spadework$|"
                      r"^spadework/|^sh$|^(list|check|export|report|run|new|menu|serve|station|results) *$|^spadework-")
# What a drive keeps of a command when it is run without a window.
KEPT = {"--set": 1, "--operator": 1, "--controls": 1, "--course": 1, "--clumsy": 1, "--seed": 1, "--solver": 1,
        "--orders": 1, "--trainee": 1, "--language": 1, "--telemetry": 1, "--record": 1, "--keep": 0, "--shot": 1,
        "--camera": 1, "--size": 1, "--overlay": 0, "--cut-fill": 0, "--plain": 0, "--panels": 1, "--json": 0}
COMMANDS = ("menu run replay resume check list export rescore report preview texts new reference calibrate results "
            "station serve doctor env model").split()
# Options by which a command needs what a test has not: then it is parsed alone.
ELSEWHERE = ("--console", "--broker", "--port", "--classroom", "--results", "--motion")


def commands_of(text):
    """Yields (line, command, whole): whole lines of blocks, and inline code, which may be a part of a command."""
    lines = text.split("\n")
    inside, indent, prose = False, "", []
    for number, line in enumerate(lines, 1):
        fence = re.match(r" *```", line)
        if fence:
            inside = not inside
            prose.append("")
        elif inside:
            prose.append("")
            command = re.split(r"\s{2,}|\s+#", line.strip())[0]
            yield number, re.sub(r"^\$ ", "", command), True
        else:
            prose.append(line)
    for paragraph in re.finditer(r"(?:[^\n]+\n?)+", "\n".join(prose)):
        first = "\n".join(prose)[:paragraph.start()].count("\n") + 1
        for code in re.finditer(r"`([^`]+)`", paragraph.group()):
            line = first + paragraph.group()[:code.start()].count("\n")
            yield line, " ".join(code.group(1).split()), False


def is_command(words, whole):
    program = os.path.basename(words[0])
    if program in ("spadework", "validate", "bench", "soak", "fuzz") and (len(words) > 1 or words[0] != program):
        return True
    if words[0] == "sh" and len(words) > 1 and words[1].endswith(".sh"):
        return True
    return not whole and words[0] in COMMANDS and len(words) > 1


def alternatives(words):
    """[A|B] and A|B become a command each; [OPTION] is given."""
    choices = [[]]
    for word in words:
        options = word.strip("[]").split("|") if "|" in word and "=" not in word else [word.strip("[]")]
        choices = [chosen + [option] for chosen in choices for option in options if option] or choices
    return choices


class Checker:
    def __init__(self, work):
        self.work = work
        self.new = 0
        self.faults = []
        self.run_count = self.parsed_count = 0
        self.named = {name: os.path.join(work, path) for name, path in {
            "RECORDING": "good.spade", "DEMONSTRATION": "good.hdf5", "OTHER": "other.spade", "SCRIPT": "levers.csv", "ORDERS": "orders.csv",
            "MAP": "my-cab.yaml", "CLASS": "class.json"}.items()}
        self.named["YAML"] = ROOT + "/data/soils/loam.yaml"
        self.named["XML"] = ROOT + "/data/surfaces/house-pad.xml"
        self.named["PNG"] = ROOT + "/data/heights/swale.png"
        self.named["OWN"] = "my-trench"

    def substituted(self, command):
        for pattern, replacement in PLACEHOLDERS:
            command = re.sub(pattern, replacement, command)
        while "$NEW" in command:
            self.new += 1
            command = command.replace("$NEW", "new-%d" % self.new, 1)
        for name, value in self.named.items():
            command = command.replace("$" + name, value)
        return command

    def call(self, words):
        found = subprocess.run([SPADEWORK] + words, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, timeout=300)
        return found.returncode, (found.stderr.strip() or found.stdout.strip()).split("\n")[-1]

    def wrong(self, place, command, what):
        self.faults.append("%s: `%s`: %s" % (place, command, what))

    def parse(self, place, command, words, whole):
        """False when the command line is wrong. A part of one may lack what it needs."""
        words = words[1:] if words[:1] == ["--check-usage"] else words
        code, told = self.call(["--check-usage"] + words)
        self.parsed_count += 1
        if code != 0 and not (not whole and re.search(r": needs |its value is missing", told)):
            self.wrong(place, command, told)
            return False
        return code == 0

    def expect_good(self, place, command, words, allowed=(0,), whole=True):
        code, told = self.call(words)
        self.run_count += 1
        if code not in allowed and not (not whole and ": needs " in told):
            self.wrong(place, command, "as `%s`: exit %d: %s" % (" ".join(words), code, told))

    def drive(self, words):
        """The same drive without a window and for a moment; options that go with a window are left out."""
        kept, k = [], 1
        while k < len(words):
            name = words[k].split("=")[0]
            if not words[k].startswith("-"):
                kept.append(words[k])
            elif name in KEPT:
                kept += words[k:k + 1 + KEPT[name]]
                k += KEPT[name]
            elif k + 1 < len(words) and not words[k + 1].startswith("-") and name not in ("--headless", "--mute",
                                                                                        "--axes", "--progress"):
                k += 1
            k += 1
        if "--shot" not in kept:
            kept = [word for word in kept if word not in ("--overlay", "--cut-fill", "--plain")]
            for pair in ("--camera", "--size", "--panels"):
                if pair in kept:
                    at = kept.index(pair)
                    del kept[at:at + 2]
        return [words[0]] + [re.sub(r"@\d[\d.]*$", "", word) for word in kept] + ["--headless", "--seconds", "0.1",
                                                                                "--threads", "1"]

    def use(self, place, command, words, whole):
        """Runs what can be run here."""
        name = words[0]
        elsewhere = any(word.split("=")[0] in ELSEWHERE for word in words) or any("postgresql:" in word for word in words)
        if name in ("run", "menu") and len(words) > 1 and not words[1].startswith("-"):
            self.expect_good(place, command, self.drive(words))
        elif elsewhere or name in ("menu", "serve", "env", "doctor", "calibrate", "--check-usage", "-h", "--version", "--help"):
            return
        elif name == "replay" and "--verify" not in words and "--list-marks" not in words:
            self.expect_good(place, command, ["replay", words[1], "--list-marks"])
        elif name == "resume":
            self.expect_good(place, command, ["resume", words[1], "--at", "0.1", "--headless", "--seconds", "0.2"])
        elif name == "replay" and "--signed" in words:
            self.expect_good(place, command, words, (0, 3))  # nobody is trusted here
        elif name == "results" and "verify" in words:
            self.expect_good(place, command, words, (0, 3))  # of the attempts made here some have no recording
        elif name == "station" and "init" in words:
            self.expect_good(place, command, words, (0, 4))  # there is a key already
        elif name == "export":
            words = [re.sub(r"@\d[\d.]*", "@0.1", word) for word in words]
            small = ["--size", "320x180"] if any(word in ("--video", "--picture") for word in words) else []
            self.expect_good(place, command, words + ([] if "--size" in words else small))
        else:
            self.expect_good(place, command, words, whole=whole)

    def spadework(self, place, command, words, whole):
        if self.parse(place, command, words, whole) and words and "--help" not in words:
            self.use(place, command, words, whole)

    def script(self, place, command, words):
        path = os.path.join(ROOT, words[1])
        if not os.path.isfile(path):
            self.wrong(place, command, "there is no %s" % words[1])
            return
        if subprocess.run(["sh", "-n", path]).returncode != 0:
            self.wrong(place, command, "sh cannot read it")
        rest = words[2:]
        if words[1] == "trainer/run.sh":
            if rest and rest != ["--build-only"]:
                self.spadework(place, command, rest, True)
            return
        text = open(path).read()
        for word in rest:
            given = re.fullmatch(r"[A-Z_]+(\.\.\.)?|[\d.]+", word)  # a placeholder, a number
            if not given and not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word.split("=")[0]), text):
                self.wrong(place, command, "%s does not know %s" % (words[1], word))

    def other_program(self, place, command, program, words):
        """validate, bench: an experiment that is there. soak, fuzz are not built here: their sources know the words."""
        if program in ("validate", "bench"):
            listed = subprocess.run([os.path.join(BIN, program), "list"], capture_output=True, text=True).stdout
            usage = subprocess.run([os.path.join(BIN, program), "--help"], capture_output=True, text=True)
            names = [line.split()[0] for line in listed.split("\n") if line]
            if words[0] == "run" and len(words) > 1 and words[1] not in names:
                self.wrong(place, command, "%s has no %s" % (program, words[1]))
            known = usage.stdout + usage.stderr
        else:
            folder = os.path.join(ROOT, "tests", program)
            known = "".join(open(os.path.join(folder, file)).read() for file in os.listdir(folder) if file.endswith(".c"))
        verbs = [word for word in words[:1] if not word.startswith("-")] if program != "fuzz" else []
        for word in verbs + [word.split("=")[0] for word in words if word.startswith("--")]:
            if not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), known):
                self.wrong(place, command, "%s does not know %s" % (program, word))

    def check(self, place, command, whole):
        if NOT_OURS.search(command):
            return
        try:
            words = shlex.split(command.split(" >")[0].split(" | ")[0])
        except ValueError:
            return  # an apostrophe of a sentence
        while words and (re.fullmatch(r"[A-Z_]+=\S*", words[0])):
            words = words[1:]
        if words and words[0] == "xvfb-run":
            words = words[next(k for k, word in enumerate(words) if "bin/" in word):]
        if not words or not is_command(words, whole):
            return
        written = shlex.split(self.substituted(" ".join(shlex.quote(word) if " " in word else word for word in words)))
        for chosen in alternatives(written):
            program = os.path.basename(chosen[0])
            if program == "sh":
                self.script(place, command, chosen)
            elif program in ("validate", "bench", "soak", "fuzz"):
                self.other_program(place, command, program, chosen[1:])
            else:
                self.spadework(place, command, chosen[1:] if program == "spadework" else chosen, whole)

    def read(self, path, text):
        for line, command, whole in commands_of(text):
            self.check("%s:%d" % (path, line), command, whole)


BROKEN = [
    ("an unknown option", "`spadework run trench --headles`"),
    ("an unknown option of a part", "`replay --verfy`"),
    ("a scene that is not there", "```\nspadework run trensh --headless    drives\n```"),
    ("a scene that is not there, in a window", "`spadework run trensh --camera cab`"),
    ("an attachment that is not there", "`spadework run trench --set machine.attachment=spoon`"),
    ("an unknown command", "```\nspadework runn trench\n```"),
    ("a script that is not there", "`sh tests/runs.sh`"),
    ("an option that a script does not know", "`sh tests/run.sh --fast`"),
    ("an unknown experiment", "`validate run spoon`"),
    ("a sentence behind one blank", "```\nspadework list scenes all the scenes\n```"),
    ("a kind that is not listed", "`spadework list spoons`"),
]


def check_itself(work):
    missed = []
    for what, text in BROKEN:
        checker = Checker(work)
        checker.read("broken.md", text)
        if len(checker.faults) != 1:
            missed.append("documents.py does not see %s: %s" % (what, checker.faults))
    good = Checker(work)
    good.read("good.md", "`spadework run trench --headless --seconds 40`, `list scenes`, `tests`, `sh`\n\n```\n"
              "spadework list scenes|soils      two lists\nsh tests/run.sh    # all\n```")
    return missed + ["documents.py refuses what is right: " + fault for fault in good.faults]


def main():
    work, files = sys.argv[1], sys.argv[2:]
    if files == ["--itself"]:
        faults = check_itself(work)
    else:
        checker = Checker(work)
        for file in files:
            checker.read(file, open(os.path.join(ROOT, file)).read())
        faults = checker.faults
        print("documents.py: %d command lines parsed, %d run" % (checker.parsed_count, checker.run_count))
        if checker.parsed_count < 60 or checker.run_count < 30:
            faults.append("too few commands were found: the search is broken")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
