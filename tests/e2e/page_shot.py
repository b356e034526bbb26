"""Opens a page in a headless Chromium, runs steps in it, and takes pictures: page_shot.py URL WIDTHxHEIGHT LANGUAGE STEP...

A step is `wait:JAVASCRIPT` (until it is true, for 20 s), `do:JAVASCRIPT`, `key:LETTER`, `rest:SECONDS`,
`picture:FILE.png`, `tabs:COUNT` (the page is open so many times, as in as many browsers) or `each:JAVASCRIPT` (is true
in every tab within 20 s). Ends with 1 and one line where a step fails. Chromium is spoken to by a pipe (DevTools protocol).
"""
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time

PATIENCE = 20.0  # s


class Refused(Exception):
    """The browser says why."""


class Browser:
    def __init__(self, size, language, folder):
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()
        self.number, self.session, self.rest, self.tabs = 0, None, b"", []
        # The browser reads its descriptor 3 and writes to 4.
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={folder}", f"--lang={language}",
             f"--accept-lang={language}", f"--window-size={size.replace('x', ',')}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.size = size
        self.open()

    def open(self):
        """A tab that shares nothing with the others: those of one browser have six connections to a server in all."""
        self.session = None
        context = self.ask("Target.createBrowserContext")["browserContextId"] if self.tabs else None
        where = {"browserContextId": context, "newWindow": True} if context else {}
        target = self.ask("Target.createTarget", url="about:blank", **where)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.tabs.append(self.session)
        width, height = self.size.split("x")
        self.ask("Emulation.setDeviceMetricsOverride", width=int(width), height=int(height), deviceScaleFactor=1,
                 mobile=False)

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            while b"\0" in self.rest:
                text, self.rest = self.rest.split(b"\0", 1)
                answer = json.loads(text)
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise Refused(f"{method}: {answer['error']}")
                    return answer["result"]
            if select.select([self.read], [], [], 1.0)[0]:
                self.rest += os.read(self.read, 1 << 20)
        sys.exit(f"{method}: no answer of the browser")

    def evaluate(self, script):
        result = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def is_true(self, script):
        try:
            return self.evaluate(f"try {{ {script} }} catch {{ false }}")  # the page may not be there yet
        except Refused:  # or just give way to another
            return False

    def wait(self, script):
        until = time.monotonic() + PATIENCE
        while not self.is_true(script):
            if time.monotonic() > until:
                sys.exit(f"never came true: {script}")
            time.sleep(0.1)

    def step(self, kind, value):
        if kind == "wait":
            self.wait(value)
        elif kind == "tabs":
            url = self.evaluate("location.href")
            while len(self.tabs) < int(value):
                self.open()
                self.ask("Page.navigate", url=url)
            self.session = self.tabs[0]
        elif kind == "each":
            for tab in self.tabs:
                self.session = tab
                self.wait(value)
            self.session = self.tabs[0]
        elif kind == "do":
            self.evaluate(value)
        elif kind == "key":
            self.ask("Input.dispatchKeyEvent", type="keyDown", key=value, text=value)
            self.ask("Input.dispatchKeyEvent", type="keyUp", key=value)
        elif kind == "rest":
            time.sleep(float(value))
        elif kind == "picture":
            data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
            with open(value, "wb") as file:
                file.write(base64.b64decode(data))
        else:
            sys.exit(f"{kind}: no such step")


def main(url, size, language, *steps):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(size, language, folder)
        try:
            browser.ask("Page.navigate", url=url)
            for step in steps:
                browser.step(*step.split(":", 1))
        except Refused as fault:
            sys.exit(str(fault))
        finally:
            browser.process.terminate()
            browser.process.wait()


main(*sys.argv[1:])
