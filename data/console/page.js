// What the pages of a drive and of a classroom share: words, small elements, the news of the server, the token. It stands behind
// the # of the address and goes out in a header alone; every text that comes in is put in as text. A page brings
// show(), take(KIND, VALUE) and said(); it begins with begin().
"use strict";

const LATE = 2500; // ms without news after which the page says so
const LANGUAGES = ["en", "de", "es"];
const byId = (id) => document.getElementById(id);
const page = {words: {}, writers: {}, token: location.hash.slice(1), heard: 0, connections: 0};

// ---- words ----

function word(key) {
  return page.words[key] ?? key;
}

// Writers of numbers are kept: to make one takes longer than to write a hundred numbers with it.
function number(value, digits) {
  const rounded = Number(value.toFixed(digits)) + 0; // no minus before a zero
  const language = document.documentElement.lang, kept = language + digits;
  page.writers[kept] ??= new Intl.NumberFormat(language, {minimumFractionDigits: digits, maximumFractionDigits: digits});
  return page.writers[kept].format(rounded);
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

// Puts a text in only where it is another one: states come ten times a second, and what is put in is laid out anew.
function put(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

// Gives a node the texts, classes and lengths of another that is built alike; else the other takes its place.
function liken(node, other) {
  if (node.isEqualNode(other)) {
    return;
  }
  if (node.nodeName !== other.nodeName || node.childNodes.length !== other.childNodes.length) {
    node.replaceWith(other);
  } else if (node.nodeType === Node.TEXT_NODE) {
    node.data = other.data;
  } else {
    if (node.className !== other.className) {
      node.className = other.className;
    }
    if (node.style.cssText !== other.style.cssText) {
      node.style.cssText = other.style.cssText;
    }
    const others = [...other.childNodes];
    [...node.childNodes].forEach((child, k) => liken(child, others[k]));
  }
}

// The same as fill() for what changes all the time: what is alike already stays as it is.
function renew(list, items) {
  items.forEach((item, k) => k < list.childNodes.length ? liken(list.childNodes[k], item) : list.append(item));
  while (list.childNodes.length > items.length) {
    list.lastChild.remove();
  }
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
  page.connections++;
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
