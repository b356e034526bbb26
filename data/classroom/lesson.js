// Loads an exercise on the chosen stations, begins and ends it, and shows what each of them answered.
"use strict";

const SEATS = 40; // rows without a choice: more are no list that anybody fills in
Object.assign(page, {lessons: {lists: [], of: {}}, rows: new Map(), lessonKnown: ""});

// ---- what may be loaded ----

function option(value, text) {
  const made = element("option", text);
  made.value = value;
  return made;
}

function listOf(station) {
  return page.lessons.lists[page.lessons.of[station.name]] ?? {scenes: [], courses: []};
}

// Those of all stations that an order goes to, with how many have each. The stations say them in their own languages.
function gather(stations, key) {
  const found = new Map();
  for (const station of stations) {
    for (const one of listOf(station)[key]) {
      found.set(one.name, {...one, count: (found.get(one.name)?.count ?? 0) + 1});
    }
  }
  return [...found.values()];
}

function titleOf(one, stations) {
  return one.title + (one.count < stations.length ? " (" + one.count + "/" + stations.length + ")" : "");
}

// The lists are made anew only when they change: whoever is choosing keeps the choice.
function showLists(stations) {
  const courses = gather(stations, "courses"), all = gather(stations, "scenes");
  const course = courses.find((one) => one.name === byId("course").value);
  const scenes = course === undefined ? all : course.scenes.map((name) => all.find((scene) => scene.name === name)).filter((scene) => scene !== undefined);
  const known = JSON.stringify([courses, scenes, stations.length, document.documentElement.lang]);
  if (page.lessonKnown === known) {
    return;
  }
  page.lessonKnown = known;
  const chosen = [byId("course").value, byId("scene").value];
  fill(byId("course"), [option("", word("no_course")), ...courses.map((one) => option(one.name, titleOf(one, stations)))]);
  fill(byId("scene"), scenes.map((one) => option(one.name, titleOf(one, stations))));
  byId("course").value = courses.some((one) => one.name === chosen[0]) ? chosen[0] : "";
  byId("scene").value = scenes.some((one) => one.name === chosen[1]) ? chosen[1] : scenes[0]?.name ?? "";
  byId("course").parentElement.hidden = courses.length === 0;
}

function takeLessons(value) {
  page.lessons = value;
  requestAnimationFrame(show);
}

// Those that have the exercise, of those that an order goes to.
function loaders() {
  const scene = byId("scene").value;
  return addressees().filter((station) => listOf(station).scenes.some((one) => one.name === scene));
}

// ---- seats ----

function makeRow(station) {
  const row = element("li"), name = element("b", station.name), input = element("input"), answer = element("span", "", "result");
  input.maxLength = 60;
  input.autocomplete = "off";
  input.setAttribute("list", "trainees");
  input.value = station.trainee;
  row.append(name, input, answer);
  return {row, input, answer};
}

function showSeats(stations) {
  const list = byId("seats"), many = page.chosen.size === 0 && stations.length > SEATS;
  put(byId("seats-none"), many ? word("choose_seats") : stations.length === 0 ? word("nobody_there") : "");
  const shown = many ? [] : stations;
  shown.forEach((station, k) => {
    if (!page.rows.has(station.name)) {
      page.rows.set(station.name, makeRow(station));
    }
    const {row, input, answer} = page.rows.get(station.name);
    if (list.children[k] !== row) {
      list.insertBefore(row, list.children[k] ?? null);
    }
    const able = listOf(station).scenes.length > 0;
    if (input.disabled === able) {
      input.disabled = !able;
    }
    const label = word("trainee_of").replace("%", station.name), result = page.orders[0]?.stations.find((one) => one.name === station.name);
    if (input.getAttribute("aria-label") !== label) {
      input.setAttribute("aria-label", label);
      input.placeholder = word("trainee");
    }
    put(answer, result === undefined ? "" : resultText(result));
    mark(answer, "over-text", ["refused", "no_answer", "not_sent"].includes(result?.result));
  });
  while (list.children.length > shown.length) {
    list.lastChild.remove();
  }
  const names = [...new Set((page.classroom?.stations ?? []).map((station) => station.trainee).filter((text) => text))].sort();
  renew(byId("trainees"), names.map((name) => option(name, "")));
}

// ---- the panel ----

function showLesson(away) {
  const stations = addressees();
  showLists(stations);
  showSeats(stations);
  const able = loaders(), without = stations.filter((station) => !able.includes(station)).map((station) => station.name);
  byId("load").disabled = away || able.length === 0;
  byId("begin").disabled = away || takers("begin").length === 0;
  byId("end").disabled = away || takers("end").length === 0;
  byId("course").disabled = byId("scene").disabled = byId("scene").options.length === 0;
  put(byId("cannot"), without.length === 0 ? "" : word("cannot_load") + ": " + without.slice(0, 5).join(", ") + (without.length > 5 ? ", …" : ""));
}

function trainees(stations) {
  return Object.fromEntries(stations.map((station) => [station.name, page.rows.get(station.name)?.input.value.trim() ?? ""]));
}

byId("lesson-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const stations = loaders(), busy = stations.filter((station) => ["driving", "frozen"].includes(phaseOf(station)));
  const load = () => order({command: "load", name: byId("scene").value, text: "", part: byId("course").value, value: 1, trainees: trainees(stations)}, stations);
  if (busy.length > 0) {
    ask(word("sure_load").replace("%", busy.length), load);
  } else if (stations.length > 0) {
    load();
  }
});
byId("begin").addEventListener("click", () => order({command: "continue"}, takers("begin")));
byId("end").addEventListener("click", () => {
  const stations = takers("end");
  ask(word("sure_end").replace("%", stations.length), () => order({command: "end"}, stations));
});
byId("course").addEventListener("change", show);
byId("scene").addEventListener("change", show);
begin();
