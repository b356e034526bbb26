// Looks on at all stations of a broker, and sends orders to many of them at once.
"use strict";

const STALE = 3; // s: a state as old as that says nothing of the present
Object.assign(page, {classroom: null, came: 0, chosen: new Set(), cards: new Map(), orders: []});
const PHASES = ["driving", "ready", "frozen", "waiting", "over", "silent", "gone"];

// ---- one station ----

function mark(place, name, on) {
  if (place.classList.contains(name) !== on) {
    place.classList.toggle(name, on);
  }
}

// The token stands behind the #, as in this page's own address: a new tab needs it, and no browser sends it.
function pageOf(name) {
  return "station/" + name + "/#" + page.token;
}

function makeCard(name) {
  const card = element("li"), top = element("div", "", "top"), values = element("div", "", "values");
  const box = element("input"), link = element("a", name), badge = element("span", "", "badge");
  const line = element("div", "", "line"), what = element("div", "", "what"), told = element("div", "", "told"), progress = bar(0, false, false);
  const time = element("span"), score = element("b"), faults = element("span", "", "over-text"), age = element("span", "", "age");
  box.type = "checkbox";
  box.addEventListener("change", () => choose(name, box.checked));
  link.href = pageOf(name);
  top.append(box, link, badge);
  line.append(what, faults);
  values.append(score, time, age);
  card.append(top, line, values, progress, told);
  return {card, box, link, badge, what, told, inner: progress.firstChild, time, score, faults, age, phase: ""};
}

// A station that was loaded and stands at its beginning is ready.
function phaseOf(station) {
  const phase = station.phase === "frozen" && station.time === 0 ? "ready" : station.phase;
  return !station.online ? "gone" : station.silent ? "silent" : phase;
}

function isThere(station) {
  return station.online && !station.silent;
}

// s since the newest state, by the page's own clock; null where there is none.
function ageOf(station) {
  return station.age === undefined ? null : station.age + (performance.now() - page.came) / 1000;
}

function ageText(age) {
  return age < 60 ? word("seconds_ago").replace("%", number(age, 0)) : word("minutes_ago").replace("%", number(age / 60, 0));
}

function toldText(station) {
  if (station.failed !== undefined) {
    return word("refused") + ": " + (station.failed === "?" ? word("silent") : station.failed);
  }
  return station.event === undefined ? "" : clock(station.event_time) + " " + station.event;
}

function showStation(station) {
  const card = page.cards.get(station.name), phase = phaseOf(station), age = ageOf(station), has = station.time !== undefined;
  if (card.badge.dataset.phase !== phase || card.badge.textContent === "") {
    card.badge.dataset.phase = phase;
  }
  put(card.badge, word("phase_" + phase));
  put(card.what, [station.title, station.trainee].filter((text) => text).join(" · ") || "-");
  put(card.time, has ? clock(station.time) : "");
  put(card.score, has ? number(station.score, 1) + " " + word("points") : "");
  put(card.faults, has && station.faults > 0 ? word("faults") + " " + station.faults : "");
  put(card.age, age === null ? "" : ageText(age));
  put(card.told, toldText(station));
  card.inner.style.width = 100 * (has ? station.progress : 0) + "%";
  // Who waits, or is done, tells nothing new.
  mark(card.card, "stale", ["gone", "silent"].includes(phase) || (["driving", "ready", "frozen"].includes(phase) && (age === null || age > STALE)));
  mark(card.card, "broken", has && station.faults > 0);
  mark(card.card, "chosen", page.chosen.has(station.name));
  mark(card.told, "over-text", station.failed !== undefined);
  const computer = station.computer === undefined ? "" : computerText(station.computer);
  if (card.link.title !== computer) {
    card.link.title = computer;
  }
  if (card.phase !== phase + document.documentElement.lang) {
    card.phase = phase + document.documentElement.lang;
    card.box.setAttribute("aria-label", word("choose_one").replace("%", station.name));
  }
}

// ---- all of them ----

function passes(station) {
  const asked = byId("filter").value.trim().toLowerCase();
  const has = [station.name, station.title, station.trainee, word("phase_" + phaseOf(station)), station.faults > 0 ? word("faults") : ""];
  return asked === "" || has.some((text) => text.toLowerCase().includes(asked));
}

// Cards are made once, and moved only where another station stands.
function place(shown) {
  const list = byId("stations");
  shown.forEach((station, k) => {
    if (!page.cards.has(station.name)) {
      page.cards.set(station.name, makeCard(station.name));
    }
    const card = page.cards.get(station.name).card;
    if (list.children[k] !== card) {
      list.insertBefore(card, list.children[k] ?? null);
    }
  });
  while (list.children.length > shown.length) {
    list.lastChild.remove();
  }
}

// Orders go to those that are chosen, and where none is, to all that are shown; only to who is there.
function addressees() {
  const there = (page.classroom?.stations ?? []).filter(isThere);
  return there.filter((station) => page.chosen.size > 0 ? page.chosen.has(station.name) : passes(station));
}

// Of those that an order would go to: who can obey it.
function takers(command) {
  const phases = {freeze: ["driving"], continue: ["frozen", "ready"], begin: ["ready"], message: ["driving", "frozen", "ready"],
    end: ["driving", "frozen", "ready", "over"]}[command];
  return addressees().filter((station) => phases === undefined || phases.includes(phaseOf(station)));
}

function showOrders() {
  put(byId("whom"), word(page.chosen.size > 0 ? "to_chosen" : "to_shown").replace("%", addressees().length));
  put(byId("choose"), word(page.chosen.size > 0 ? "choose_none" : "choose_all"));
  const away = page.classroom?.connected !== true || performance.now() - page.heard > LATE;
  for (const [id, command] of [["freeze", "freeze"], ["continue", "continue"], ["send", "message"]]) {
    byId(id).disabled = away || takers(command).length === 0;
  }
  showLesson(away);
}

// A computer as one finds it in the hall; the process where two programs have all else in common.
function computerText(computer) {
  const where = [computer.address, computer.process === undefined ? "" : word("process").replace("%", computer.process)];
  return (computer.host || "?") + " (" + where.filter((text) => text).join(", ") + ")";
}

// Computers that use one name: what the operator of the hall must mend is said until it is mended.
function showWarnings() {
  const warnings = (page.classroom?.stations ?? []).filter((station) => station.rivals !== undefined).map((station) => {
    const rivals = station.rivals.map((rival) => computerText(rival.computer) + (rival.age > 10 ? ", " + ageText(rival.age) : ""));
    const holder = station.computer === undefined ? "?" : computerText(station.computer);
    return element("li", word("same_name").replace("%1", () => station.name).replace("%2", () => holder).replace("%3", () => rivals.join("; ")));
  });
  byId("warnings").hidden = warnings.length === 0;
  renew(byId("warnings"), warnings);
}

// ---- what became of the last order ----

const RESULTS = ["taken", "refused", "no_answer", "not_sent", "waits"];

function resultText(one) {
  return word("result_" + one.result) + (one.error ? ": " + one.error : "");
}

// Only a station that has said so has taken an order.
function showAnswer() {
  const batch = page.orders[0];
  if (batch === undefined || (page.sent !== undefined && batch.number < page.sent)) {
    return;
  }
  const parts = RESULTS.map((result) => {
    const found = batch.stations.filter((one) => one.result === result), names = found.map((one) => one.name).slice(0, 3);
    const who = result === "taken" || found.length === 0 ? "" : " (" + names.join(", ") + (found.length > 3 ? ", …" : "") + ")";
    return found.length === 0 && result !== "taken" ? "" : word("result_" + result) + " " + found.length + who;
  });
  const bad = batch.stations.some((one) => ["refused", "no_answer", "not_sent"].includes(one.result));
  put(byId("answer"), word(batch.command) + ", " + word("of_stations").replace("%", batch.stations.length) + ": " + parts.filter((text) => text).join(" · "));
  byId("answer").className = bad ? "bad" : "";
}

function showContact() {
  const late = page.classroom === null || performance.now() - page.heard > LATE;
  const contact = late ? "lost" : page.classroom.connected ? "there" : "away";
  byId("contact").dataset.phase = contact === "there" ? "driving" : "lost";
  put(byId("contact"), word("contact_" + contact));
}

function show() {
  showContact();
  const all = page.classroom?.stations ?? [], shown = all.filter(passes);
  put(byId("about"), word("count").replace("%", all.length));
  for (const phase of PHASES) {
    put(byId(phase), String(all.filter((station) => phaseOf(station) === phase).length));
  }
  byId("none").hidden = shown.length > 0;
  put(byId("none"), word(all.length > 0 ? "none_passes" : "none_yet"));
  place(shown);
  shown.forEach(showStation);
  showWarnings();
  showOrders();
  showAnswer();
}

function said() {
}

function take(kind, value) {
  if (kind === "stations") {
    page.heard = page.came = performance.now();
    page.classroom = value;
    requestAnimationFrame(show);
  } else if (kind === "lessons") {
    takeLessons(value);
  } else if (kind === "orders") {
    page.orders = value;
    requestAnimationFrame(show);
  }
}

// ---- orders ----

function choose(name, on) {
  if (on) {
    page.chosen.add(name);
  } else {
    page.chosen.delete(name);
  }
  show();
  page.cards.forEach((card, one) => card.box.checked = page.chosen.has(one));
}

function chooseAll() {
  const names = page.chosen.size > 0 ? [] : addressees().map((station) => station.name);
  page.chosen = new Set(names);
  page.cards.forEach((card, name) => card.box.checked = page.chosen.has(name));
  show();
}

// What became of it comes later, station by station.
async function order(body, stations) {
  const to = (stations ?? takers(body.command)).map((station) => station.name);
  if (to.length === 0) {
    return false;
  }
  const told = await send({...body, stations: to});
  if (told?.ok) {
    page.sent = told.number;
    showAnswer();
  } else {
    page.sent = Infinity;
    byId("answer").textContent = told === null ? word("contact_lost") : told.error;
    byId("answer").className = "bad";
  }
  return told?.ok === true;
}

// Asks before something is ended, with No in focus.
function ask(question, then) {
  const sure = byId("sure");
  byId("question").textContent = question;
  sure.returnValue = "no";
  sure.onclose = () => sure.returnValue === "yes" && then();
  sure.showModal();
}

byId("freeze").addEventListener("click", () => order({command: "freeze"}));
byId("continue").addEventListener("click", () => order({command: "continue"}));
byId("choose").addEventListener("click", chooseAll);
byId("filter").addEventListener("input", show);
byId("message-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await order({command: "message", text: byId("message").value.trim()})) {
    byId("message").value = "";
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    event.target.blur();
  }
  if (byId("sure").open || event.target.matches("input:not([type=checkbox]), select") || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const field = {t: "message", "/": "filter", l: "scene"}[event.key.toLowerCase()];
  // One key alone does not hold up a whole class.
  const button = {f: page.chosen.size > 0 && "freeze", c: page.chosen.size > 0 && "continue", a: "choose"}[event.key.toLowerCase()];
  if (field) {
    event.preventDefault();
    byId(field).focus();
  } else if (button) {
    byId(button).click();
  }
});

// Who types another token, or comes by an address with another one, gets links with that.
function renewLinks() {
  page.cards.forEach((card, name) => card.link.href = pageOf(name));
}
byId("token-form").addEventListener("submit", renewLinks);

setInterval(() => page.classroom !== null && show(), 500);
