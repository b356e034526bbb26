// What the pages of a drive and of a classroom share: words, small elements, the news of the server, the token. It stands behind
// the # of the address and goes out in a header alone; every text that comes in is put in as text. A page brings
// show(), take(KIND, VALUE) and said(); it begins with begin().
"use strict";

const LATE = 2500; // ms without news after which the page says so
const LANGUAGES = ["en", "de", "es"];
const byId = (id) => document.getElementById(id);
const page = {words: {}, token: location.hash.slice(1), heard: 0};

// ---- words ----

function word(key) {
  return page.words[key] ?? key;
}

function number(value, digits) {
  const rounded = Number(value.toFixed(digits)) + 0; // no minus before a zero
  return rounded.toLocaleString(document.documentElement.lang, {minimumFractionDigits: digits, maximumFractionDigits: digits});
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  return Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0");
}

async function speak(language) {
  const answer = await fetch(language + ".json");
  page.words = await answer.json();
  document.documentElement.lang = language;
  byId("language").value = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = word(element.dataset.text);
  }
  said();
  show();
}

function firstLanguage() {
  let kept = null;
  try {
    kept = localStorage.getItem("language");
  } catch {
    // a browser that keeps nothing
  }
  const asked = [kept, ...navigator.languages].map((name) => String(name).slice(0, 2));
  return asked.find((name) => LANGUAGES.includes(name)) ?? "en";
}

byId("language").addEventListener("change", (event) => {
  try {
    localStorage.setItem("language", event.target.value);
  } catch {
    // as above
  }
  speak(event.target.value);
});

// ---- elements ----

function fill(list, items) {
  list.replaceChildren(...items);
}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? "";
  made.className = className ?? "";
  return made;
}

// A bar of a share from 0 to 1, or from -1 to 1 about its middle.
function bar(share, over, middle) {
  const outer = element("div", "", "bar" + (over ? " over" : "") + (middle ? " middle" : "")), inner = element("i");
  const length = Math.max(0, Math.min(1, Math.abs(share)));
  inner.style.left = (middle ? (share < 0 ? 50 - 50 * length : 50) : 0) + "%";
  inner.style.width = (middle ? 50 : 100) * length + "%";
  outer.append(inner);
  return outer;
}

// ---- what comes in, and goes out ----

// Reads events: "event: KIND", "data: TEXT", an empty line.
async function listen() {
  const answer = await fetch("live", {headers: {Authorization: "Bearer " + page.token}, cache: "no-store"});
  byId("token-form").hidden = answer.status !== 401;
  if (!answer.ok) {
    throw new Error(answer.status);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) {
      return;
    }
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const found = /^event: (\w+)\ndata: (.*)$/s.exec(part);
      if (found) {
        take(found[1], JSON.parse(found[2]));
      }
    }
  }
}

async function listenForEver() {
  for (;;) {
    try {
      await listen();
    } catch {
      // the badge says that nobody is heard
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

// Sends an order; what the server says of it, or null where it says nothing.
async function send(body) {
  try {
    const reply = await fetch("command", {method: "POST", headers: {Authorization: "Bearer " + page.token}, body: JSON.stringify(body)});
    return {ok: reply.ok, ...await reply.json()};
  } catch {
    return null;
  }
}

byId("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  page.token = byId("token").value;
  history.replaceState(null, "", "#" + page.token);
});

function begin() {
  speak(firstLanguage()).then(listenForEver);
}
