// Looks on at a session and sends orders.
"use strict";

Object.assign(page, {state: null, scenes: [], courses: [], faults: [], ground: null, payload: 1000, order: null, answers: []});

// ---- what is shown ----

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

// Rows of the switches of the cab and of the operator on foot; none where the exercise has neither.
function cabRows(cab) {
  if (!cab) {
    return [];
  }
  const where = cab.on_foot ? word("on_foot") + " " + cab.looked + " / " + cab.things : word("in_cab");
  return [
    row(word("operator"), where, cab.things > 0 ? cab.looked / cab.things : null, false),
    row(word("engine_switch"), word("engine_" + cab.engine), null, cab.engine !== "runs"),
    row(word("safety_lever"), word(cab.lever_down ? "lever_down" : "lever_up"), null, false),
    row(word("oil"), number(cab.oil, 0) + " °C", null, cab.oil_cold),
  ];
}

// The row of the coupler, where a tool can be changed from the cab. Its words are those of the server's state.
function couplerRows(coupler) {
  if (!coupler) {
    return [];
  }
  const state = word("coupler_" + coupler.state.replaceAll(", ", "_").replaceAll(" ", "_"));
  const asks = coupler.confirm > 0 ? ", " + word("coupler_confirm") : "";
  const tool = coupler.name ? ": " + coupler.name : "";
  return [row(word("coupler"), state + asks + tool, null, coupler.state !== "locked")];
}

function showGauges(gauges, cab, coupler) {
  page.payload = Math.max(page.payload, gauges.payload);
  const tilt = Math.max(Math.abs(gauges.pitch), Math.abs(gauges.roll)) > 0.26; // rad: 15 degrees
  const rows = [
    row(word("engine"), number(gauges.engine_speed * 30 / Math.PI, 0) + " /min", gauges.engine_speed / (1.1 * gauges.engine_rated), false),
    ...cabRows(cab),
    ...couplerRows(coupler),
    row(word("fuel"), number(gauges.fuel, 0) + " kg", gauges.tank > 0 ? gauges.fuel / gauges.tank : 0, gauges.fuel < 0.1 * gauges.tank),
    row(word("payload"), number(gauges.payload, 0) + " kg", gauges.payload / page.payload, false),
    row(word("tool_force"), gauges.tools.map((t) => number(t.force / 1e3, 0)).join(" / ") + " kN", null),
    ...gauges.pressures.map((p) => row(word("joint_" + p.name), number(p.pressure / 1e6, 1) + " MPa", p.pressure / p.relief, p.pressure > 0.97 * p.relief)),
    row(word("pitch"), degrees(gauges.pitch), gauges.pitch / 0.5, tilt, true),
    row(word("roll"), degrees(gauges.roll), gauges.roll / 0.5, tilt, true),
    row(word("speed"), number(gauges.speed * 3.6, 1) + " km/h", null),
    row(word("slip"), gauges.slip.map((s) => number(100 * s, 0)).join(" / ") + " %", null),
    row(word("limits"), gauges.limits === "none" ? word("limit_none") : gauges.limits.split("+").map((l) => word("limit_" + l)).join(", "), null, gauges.limits !== "none"),
  ];
  renew(byId("gauges"), rows);
}

function showWork(state) {
  renew(byId("progress"), state.progress.map((line) => element("li", line)));
  renew(byId("steps"), state.steps.map((step) => element("li", step.text, step.done > 0 ? "done" : "")));
  renew(byId("rows"), state.rows.map((r) => row(r.label, number(r.points, 1) + " / " + number(r.of, 0), r.of > 0 ? r.points / r.of : 0, false)));
}

function timed(time, text, className) {
  const made = element("li", "", className);
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
  put(byId("freeze"), word(phase === "frozen" ? "continue" : "freeze"));
  const recorded = Boolean(state?.recording);
  byId("fault-form").hidden = phase === "waiting";
  byId("remark-panel").hidden = phase !== "waiting" || !page.state?.debrief;
  byId("snapshot-form").hidden = byId("rewind-form").hidden = phase === "waiting" || !recorded;
  showAble(phase);
}

// What cannot be ordered now looks so: while nobody drives a scene may be loaded, and on the page after a drive that or its end ordered.
function showAble(phase) {
  const drives = phase === "driving" || phase === "frozen";
  for (const form of ["message-form", "mark-form", "fault-form", "snapshot-form", "rewind-form"]) {
    for (const part of byId(form).querySelectorAll("input, select, button")) {
      part.disabled = !drives;
    }
  }
  byId("freeze").disabled = byId("restart").disabled = !drives;
  byId("end").disabled = !drives && phase !== "over";
  byId("load-form").querySelector("button").disabled = phase === "lost";
}

// An order that was given, in words.
function orderText(given) {
  if (given.fault !== undefined) {
    const mends = given.fault.value === given.fault.sound;
    return word(mends ? "mended" : "fault") + ": " + faultText(given.fault, given.fault.part, mends ? null : given.fault.value);
  }
  const texts = {load: () => page.scenes.find((scene) => scene.name === given.text)?.title ?? given.text, rewind: () => clock(Number(given.text))};
  const text = texts[given.command]?.() ?? given.text;
  return word(given.command) + (text ? ": " + text : "");
}

function show() {
  const state = page.state;
  showPhase();
  if (state === null) {
    return;
  }
  const drives = state.pose !== undefined;
  showDebrief(state.debrief);
  renew(byId("given"), state.orders.slice().reverse().map((given) => timed(given.time, orderText(given), given.command === "failed" ? "over-text" : "")));
  put(byId("title"), drives ? state.title : state.station || "Spadework");
  if (!drives) {
    put(byId("about"), "");
    return;
  }
  const practice = state.practice && word("practice") + " (" + state.practice.parent + ", " + clock(state.practice.from) + ")";
  const scripted = !state.counts && !state.practice && word("scripted");
  const who = [state.trainee, practice, scripted, state.driver && word("driver") + " " + state.driver, state.machine, state.recording, state.station];
  put(byId("about"), who.filter((text) => text).join(" · "));
  put(byId("time"), clock(state.time) + (state.limited ? " / " + clock(state.time_limit) : ""));
  put(byId("score-name"), word("score") + (state.scored ? " (" + word("pass_mark") + " " + number(state.pass_mark, 0) + ")" : ""));
  put(byId("score"), state.scored ? number(state.score, 1) + (state.finished ? (!state.counts ? " –" : state.passed ? " ✓" : " ✗") : "") : "–");
  put(byId("cut"), number(state.soil.cut, 2) + " m³");
  put(byId("fill"), number(state.soil.fill, 2) + " m³");
  put(byId("particles"), number(state.soil.particles, 0));
  showGauges(state.gauges, state.cab, state.coupler);
  showFaults(state.faults);
  showSnapshots(state.snapshots);
  renew(byId("levers"), Object.entries(state.levers).map(([name, value]) => row(word("lever_" + name), number(100 * value, 0) + " %", value, false, true)));
  showWork(state);
  renew(byId("events"), state.events.slice().reverse().map((e) => timed(e.time, e.detail || e.title)));
  drawSide(byId("side"), state);
  drawPlan(byId("plan"), state, page.ground);
}

// The scenes of the chosen course in its order, or all.
function showScenes() {
  const course = page.courses.find((one) => one.name === byId("course").value);
  const scenes = course === undefined ? page.scenes
    : course.scenes.map((name) => page.scenes.find((scene) => scene.name === name)).filter((scene) => scene !== undefined);
  byId("load-panel").hidden = page.scenes.length === 0;
  fill(byId("scene"), scenes.map((scene) => option(scene.name, scene.title + " (" + scene.name + ")")));
}

// A list for each condition of a drive, which begins with what the exercise has. What is chosen stays chosen.
function showConditions(conditions) {
  const before = chosenConditions();
  fill(byId("conditions"), Object.entries(conditions).map(([name, choices]) => {
    const label = document.createElement("label"), title = element("span", word("condition_" + name));
    const list = document.createElement("select"), usual = option("", word("as_exercise"));
    title.dataset.text = "condition_" + name; // speak() puts in another language
    usual.dataset.text = "as_exercise";
    list.id = "condition-" + name;
    list.dataset.condition = name;
    fill(list, [usual, ...choices.map((choice) => option(choice.name, choice.title))]);
    list.value = before[name] ?? "";
    label.append(title, " ", list);
    return label;
  }));
}

function chosenConditions() {
  const lists = [...document.querySelectorAll("#conditions select")].filter((list) => list.value !== "");
  return Object.fromEntries(lists.map((list) => [list.dataset.condition, list.value]));
}

function showChoices(choices) {
  page.courses = choices.courses;
  fill(byId("course"), [option("", word("no_course")), ...choices.courses.map((course) => option(course.name, course.title))]);
  byId("course").hidden = byId("course").labels[0].hidden = choices.courses.length === 0;
  showConditions(choices.conditions ?? {});
  fill(byId("trainees"), choices.trainees.map((name) => option(name, "")));
  showScenes();
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

// A figure with no more digits than it has: 50, 0.5.
function shortest(value) {
  return number(value, Math.abs(value - Math.round(value)) < 1e-6 ? 0 : 1);
}

// A fault with what is left or added, as it is ordered here; value null: without it.
function faultText(fault, part, value) {
  const size = value === null || fault.ends ? "" : fault.unit === "" ? shortest(100 * value) + " %" : shortest(value) + " " + fault.unit;
  return [word("fault_" + fault.name), partName(part), size].filter((text) => text).join(" ");
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
  const broken = faults.flatMap((fault) =>
    fault.parts.filter((part) => part.value !== fault.sound).map((part) => faultText(fault, part.name, part.value)));
  const text = broken.length > 0 ? word("broken") + ": " + broken.join(" · ") : "";
  if (byId("broken").textContent !== text) {
    byId("broken").textContent = text;
  }
}

// A classroom says that there is one: it is too large for a broker, and opens on the station's own page.
function showDebrief(path) {
  byId("debrief-there").hidden = path !== "station" || byId("back").hidden;
  const link = byId("debrief"), offered = /^offered\/[0-9a-f]{32}\/debrief$/.test(path) && byId("back").hidden;
  link.hidden = !offered;
  if (offered && link.getAttribute("href") !== path) {
    link.setAttribute("href", path);
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

function take(kind, value) {
  if (kind === "state") {
    // The first state of a connection is the newest one that the server has, whatever its age: the next one shows that somebody is there.
    page.heard = page.stateOf === page.connections ? performance.now() : page.heard;
    page.stateOf = page.connections;
    page.state = value;
    requestAnimationFrame(show);
  } else if (kind === "ground") {
    page.ground = value;
  } else if (kind === "scenes") {
    page.scenes = value;
    showScenes();
  } else if (kind === "choices") {
    showChoices(value);
  } else if (kind === "answers") {
    page.answers = value;
    settle();
  }
}

function said() {
  for (const id of ["side", "plan"]) {
    byId(id).setAttribute("aria-label", word(id));
  }
  byId("picture").alt = word("picture");
}

// ---- orders ----

// What became of an order: `wrong` says why it was not taken, "" that it was.
function sayOrder(command, wrong) {
  byId("answer").textContent = wrong ? word(command) + ": " + wrong : word("done") + ": " + word(command);
  byId("answer").className = wrong ? "bad" : "";
}

// The order that was passed on may have its answer.
function settle() {
  const answer = page.answers.find((one) => one.id === page.order?.id);
  if (answer !== undefined) {
    sayOrder(page.order.command, answer.taken ? "" : answer.error || word("silent"));
    page.order = null;
  }
}

// A classroom's server passes an order on to the station, whose answer comes later, with the order's id.
async function order(body) {
  page.order = null;
  const told = await send(body);
  sayOrder(body.command, told === null ? word("phase_lost") : told.ok ? "" : told.error);
  if (told?.ok && told.id !== undefined) {
    byId("answer").textContent = word("under_way") + ": " + word(body.command);
    page.order = {id: told.id, command: body.command};
    settle();
  }
  return told?.ok === true;
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
byId("remark-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  for (const name of ["comment", "grade"]) {
    const text = byId(name).value.trim();
    if (text !== "" && await order({command: name, text})) {
      byId(name).value = "";
    }
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
byId("course").addEventListener("change", showScenes);
byId("load-form").addEventListener("submit", (event) => {
  event.preventDefault();
  order({command: "load", name: byId("scene").value, text: byId("trainee").value.trim(), part: byId("course").value,
    conditions: chosenConditions()});
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

// The token stands behind the #, as in this page's own address, so that a new tab has it, too.
function renewBack() {
  byId("back").href = "../../#" + page.token;
}
byId("back").hidden = !location.pathname.includes("/station/");
byId("token-form").addEventListener("submit", renewBack);
renewBack();

// What the operator sees, while somebody wants to see it: a picture at a time, the next one after the last has come.
function askPicture() {
  const picture = byId("picture"), path = page.state?.picture ?? "";
  const offered = /^offered\/[0-9a-f]{32}\/picture$/.test(path) && byId("back").hidden;
  byId("looks").disabled = !offered;
  if (!byId("looks").checked || !offered) {
    picture.hidden = true;
    return;
  }
  const next = new Image();
  next.onload = () => {
    picture.src = next.src;
    picture.hidden = false;
  };
  next.src = path + "?" + Date.now();
}
setInterval(askPicture, 1000);
byId("looks").addEventListener("change", askPicture);

window.addEventListener("resize", show);
setInterval(showPhase, 500);
begin();
