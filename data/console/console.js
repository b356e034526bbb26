// Looks on at a session and sends orders. The token stands behind the # of the address and goes out in a header alone;
// every text that comes in is put in as text.
"use strict";

const LATE = 2500; // ms without news after which the page says so
const LANGUAGES = ["en", "de", "es"];
const byId = (id) => document.getElementById(id);
const page = {words: {}, token: location.hash.slice(1), state: null, faults: [], ground: null, heard: 0, told: "", payload: 1000};

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
  const answer = await fetch("/" + language + ".json");
  page.words = await answer.json();
  document.documentElement.lang = language;
  byId("language").value = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = word(element.dataset.text);
  }
  for (const id of ["side", "plan"]) {
    byId(id).setAttribute("aria-label", word(id));
  }
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

// ---- what is shown ----

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

function row(name, value, share, over, middle) {
  const made = element("tr"), wide = element("td", "", "wide");
  const cell = element("td", value, over ? "over-text" : "");
  if (share !== null) {
    wide.append(bar(share, over, middle));
  }
  made.append(element("th", name), cell, wide);
  return made;
}

function degrees(radians) {
  return number(radians * 180 / Math.PI, 1) + "°";
}

function showGauges(gauges) {
  page.payload = Math.max(page.payload, gauges.payload);
  const tilt = Math.max(Math.abs(gauges.pitch), Math.abs(gauges.roll)) > 0.26; // rad: 15 degrees
  const rows = [
    row(word("engine"), number(gauges.engine_speed * 30 / Math.PI, 0) + " /min", gauges.engine_speed / (1.1 * gauges.engine_rated), false),
    row(word("fuel"), number(gauges.fuel, 0) + " kg", gauges.tank > 0 ? gauges.fuel / gauges.tank : 0, gauges.fuel < 0.1 * gauges.tank),
    row(word("payload"), number(gauges.payload, 0) + " kg", gauges.payload / page.payload, false),
    ...gauges.pressures.map((p) => row(word("joint_" + p.name), number(p.pressure / 1e6, 1) + " MPa", p.pressure / p.relief, p.pressure > 0.97 * p.relief)),
    row(word("pitch"), degrees(gauges.pitch), gauges.pitch / 0.5, tilt, true),
    row(word("roll"), degrees(gauges.roll), gauges.roll / 0.5, tilt, true),
    row(word("speed"), number(gauges.speed * 3.6, 1) + " km/h", null),
    row(word("slip"), gauges.slip.map((s) => number(100 * s, 0)).join(" / ") + " %", null),
    row(word("limits"), gauges.limits === "none" ? word("limit_none") : gauges.limits.split("+").map((l) => word("limit_" + l)).join(", "), null, gauges.limits !== "none"),
  ];
  fill(byId("gauges"), rows);
}

function showWork(state) {
  fill(byId("progress"), state.progress.map((line) => element("li", line)));
  fill(byId("steps"), state.steps.map((step) => element("li", step.text, step.done > 0 ? "done" : "")));
  fill(byId("rows"), state.rows.map((r) => row(r.label, number(r.points, 1) + " / " + number(r.of, 0), r.of > 0 ? r.points / r.of : 0, false)));
}

function timed(time, text) {
  const made = element("li");
  made.append(element("b", clock(time)), " " + text);
  return made;
}

function showPhase() {
  const state = page.state, late = performance.now() - page.heard > LATE;
  const phase = state === null || late ? "lost" : state.phase;
  const badge = byId("phase");
  if (badge.dataset.phase !== phase || badge.textContent === "") {
    badge.dataset.phase = phase;
    badge.textContent = word("phase_" + phase);
  }
  byId("freeze").textContent = word(phase === "frozen" ? "continue" : "freeze");
  const recorded = Boolean(state?.recording);
  byId("fault-form").hidden = phase === "waiting";
  byId("snapshot-form").hidden = byId("rewind-form").hidden = phase === "waiting" || !recorded;
  for (const id of ["freeze", "restart", "end"]) {
    byId(id).disabled = phase === "lost" || (id !== "end" && phase === "waiting");
  }
}

function show() {
  const state = page.state;
  showPhase();
  if (state === null) {
    return;
  }
  const drives = state.pose !== undefined;
  fill(byId("given"), state.orders.slice().reverse().map((o) => timed(o.time, word(o.command) + (o.text ? ": " + o.text : ""))));
  byId("title").textContent = drives ? state.title : state.station || "Spadework";
  if (!drives) {
    byId("about").textContent = "";
    return;
  }
  const who = [state.trainee, state.driver && word("driver") + " " + state.driver, state.machine, state.recording, state.station];
  byId("about").textContent = who.filter((text) => text).join(" · ");
  byId("time").textContent = clock(state.time) + " / " + clock(state.time_limit);
  byId("score-name").textContent = word("score") + " (" + word("pass_mark") + " " + number(state.pass_mark, 0) + ")";
  byId("score").textContent = number(state.score, 1) + (state.finished ? (state.passed ? " ✓" : " ✗") : "");
  byId("cut").textContent = number(state.soil.cut, 2) + " m³";
  byId("fill").textContent = number(state.soil.fill, 2) + " m³";
  byId("particles").textContent = number(state.soil.particles, 0);
  showGauges(state.gauges);
  showFaults(state.faults);
  showSnapshots(state.snapshots);
  fill(byId("levers"), Object.entries(state.levers).map(([name, value]) => row(word("lever_" + name), number(100 * value, 0) + " %", value, false, true)));
  showWork(state);
  fill(byId("events"), state.events.slice().reverse().map((e) => timed(e.time, e.detail || e.kind)));
  drawSide(byId("side"), state);
  drawPlan(byId("plan"), state, page.ground);
}

function showScenes(scenes) {
  byId("load-panel").hidden = scenes.length === 0;
  fill(byId("scene"), scenes.map((scene) => {
    const option = element("option", scene.title + " (" + scene.name + ")");
    option.value = scene.name;
    return option;
  }));
}

// ---- faults ----

function chosenFault() {
  return page.faults.find((fault) => fault.name === byId("fault").value);
}

function option(value, text) {
  const made = element("option", text);
  made.value = value;
  return made;
}

function partName(name) {
  const key = "joint_" + name.replace(" ", "_");
  return page.words[key] ?? name;
}

function choosePart() {
  const fault = chosenFault();
  if (fault === undefined) {
    return;
  }
  fill(byId("part"), fault.parts.map((part) => option(part.name, partName(part.name))));
  byId("part").hidden = fault.parts.length === 1 && fault.parts[0].name === "";
  const share = fault.unit === "" && !fault.ends, value = byId("value");
  value.hidden = fault.ends;
  value.min = share ? 0 : fault.low;
  value.max = share ? 100 : fault.high;
  value.value = fault.ends ? fault.high : share ? 50 : Math.round(0.5 * (fault.low + Math.min(fault.high, 10 * fault.low + 30)));
  byId("unit").textContent = fault.ends ? "" : share ? "%" : fault.unit;
}

// Of one machine and scene: the lists are made anew only when these change.
function showFaults(faults) {
  const known = JSON.stringify([faults.map((fault) => [fault.name, fault.parts.map((part) => part.name)]), document.documentElement.lang]);
  page.faults = faults;
  if (page.faultsKnown !== known) {
    page.faultsKnown = known;
    fill(byId("fault"), faults.map((fault) => option(fault.name, word("fault_" + fault.name))));
    choosePart();
  }
  const broken = faults.flatMap((fault) => fault.parts.filter((part) => part.value !== fault.sound).map((part) =>
    [word("fault_" + fault.name), partName(part.name), fault.ends ? "" : fault.unit === "" ? number(100 * part.value, 0) + " %" : number(part.value, 0) + " " + fault.unit]
      .filter((text) => text).join(" ")));
  const text = broken.length > 0 ? word("broken") + ": " + broken.join(" · ") : "";
  if (byId("broken").textContent !== text) {
    byId("broken").textContent = text;
  }
}

// ---- moments to return to ----

// The list is made anew only when it changes: whoever is choosing keeps the choice.
function showSnapshots(snapshots) {
  const known = JSON.stringify([snapshots, document.documentElement.lang]), list = byId("snapshots");
  if (page.snapshotsKnown !== known) {
    page.snapshotsKnown = known;
    fill(list, snapshots.map((s, k) => option(k + 1, [k + 1 + ".", clock(s.time), s.text].join(" "))).reverse());
  }
  list.hidden = byId("return").hidden = list.labels[0].hidden = snapshots.length === 0;
}

// ---- what comes in ----

function take(kind, text) {
  const value = JSON.parse(text);
  page.heard = performance.now();
  if (kind === "state") {
    page.state = value;
    requestAnimationFrame(show);
  } else if (kind === "ground") {
    page.ground = value;
  } else if (kind === "scenes") {
    showScenes(value);
  }
}

// Reads events: "event: KIND", "data: TEXT", an empty line.
async function listen() {
  const answer = await fetch("/live", {headers: {Authorization: "Bearer " + page.token}, cache: "no-store"});
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
        take(found[1], found[2]);
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

// ---- orders ----

async function order(body) {
  const answer = byId("answer");
  answer.className = "";
  try {
    const reply = await fetch("/command", {method: "POST", headers: {Authorization: "Bearer " + page.token}, body: JSON.stringify(body)});
    const told = await reply.json();
    answer.textContent = reply.ok ? word("done") + ": " + word(body.command) : told.error;
    answer.className = reply.ok ? "" : "bad";
    return reply.ok;
  } catch {
    answer.textContent = word("phase_lost");
    answer.className = "bad";
    return false;
  }
}

function sendText(form, field, command) {
  byId(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await order({command, text: byId(field).value.trim()})) {
      byId(field).value = "";
    }
  });
}

function ask(command, values) {
  const sure = byId("sure");
  byId("question").textContent = word("sure_" + command);
  sure.returnValue = "no";
  sure.onclose = () => sure.returnValue === "yes" && order({command, ...values});
  sure.showModal();
}

sendText("message-form", "message", "message");
sendText("mark-form", "mark", "mark");
byId("snapshot-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await order({command: "snapshot", text: byId("snapshot").value.trim()})) {
    byId("snapshot").value = "";
  }
});
byId("return").addEventListener("click", () => ask("return", {value: Number(byId("snapshots").value)}));
byId("rewind-form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask("rewind", {value: byId("rewind").valueAsNumber});
});
byId("freeze").addEventListener("click", () => order({command: page.state?.phase === "frozen" ? "continue" : "freeze"}));
byId("restart").addEventListener("click", () => ask("restart"));
byId("end").addEventListener("click", () => ask("end"));
byId("fault").addEventListener("change", choosePart);
function orderFault(mends) {
  const fault = chosenFault();
  if (fault === undefined) {
    return;
  }
  const share = fault.unit === "" && !fault.ends;
  const value = mends ? fault.sound : byId("value").valueAsNumber / (share ? 100 : 1);
  order({command: "fault", name: fault.name, part: byId("part").value, value});
}
byId("fault-form").addEventListener("submit", (event) => {
  event.preventDefault();
  orderFault(false);
});
byId("mend").addEventListener("click", () => orderFault(true));
byId("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  order({command: "load", name: byId("scene").value, text: byId("trainee").value.trim()});
});
byId("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  page.token = byId("token").value;
  history.replaceState(null, "", "#" + page.token);
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.altKey || event.metaKey || byId("sure").open) {
    return;
  }
  const field = {t: "message", m: "mark", s: "fault", p: "snapshot", b: "rewind"}[event.key.toLowerCase()];
  if (field) {
    event.preventDefault();
    byId(field).focus();
  } else if (event.key.toLowerCase() === "f") {
    byId("freeze").click();
  }
});

window.addEventListener("resize", show);
setInterval(showPhase, 500);
speak(firstLanguage()).then(listenForEver);
