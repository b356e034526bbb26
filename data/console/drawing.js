// Draws the machine and the ground: from the side, in the plane of its arm, and from above. All lengths come in metres.
"use strict";

const SIDE_BACK = 8, SIDE_AHEAD = 15, SIDE_NEAR = 2.5; // m behind and ahead; that grains and trucks are off the plane

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

// The canvas at the screen's own resolution, cleared, with `scale` pixels a metre and (x, y) in its lower left corner.
function clearCanvas(canvas, width, back) {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = colour(back);
  pen.fillRect(0, 0, w, h);
  return {pen, w, h, scale: w / width, ratio};
}

function polygon(pen, points, place) {
  pen.beginPath();
  for (let k = 0; k < points.length; k += 2) {
    const [x, y] = place(points[k], points[k + 1]);
    k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y);
  }
  pen.closePath();
}

const PART_FILL = {track: "belt", tool: "tool", truck: "truck", steel: "steel"};

function paintParts(pen, parts, key, place, ratio) {
  pen.lineWidth = 1 * ratio;
  for (const part of parts) {
    polygon(pen, part[key], place);
    pen.fillStyle = colour(PART_FILL[part.kind] || "steel");
    pen.strokeStyle = colour("steel-line");
    pen.fill();
    pen.stroke();
  }
}

function scaleBar(view, metres) {
  const {pen, w, h, scale, ratio} = view, length = metres * scale, x = w - length - 10 * ratio, y = h - 10 * ratio;
  pen.fillStyle = colour("ink");
  pen.strokeStyle = colour("panel");
  pen.font = 13 * ratio + "px sans-serif";
  pen.textAlign = "center";
  pen.fillRect(x, y, length, 3 * ratio);
  pen.lineWidth = 3 * ratio;
  pen.strokeText(metres + " m", x + length / 2, y - 4 * ratio);
  pen.fillText(metres + " m", x + length / 2, y - 4 * ratio);
}

function drawSide(canvas, state) {
  const view = clearCanvas(canvas, SIDE_BACK + SIDE_AHEAD, "sky"), {pen, w, h, scale, ratio} = view;
  const pose = state.pose, ground = state.profile;
  const low = pose.z - 0.38 * h / scale; // a little more than a third of the picture is below the tracks
  const place = (along, z) => [(along + SIDE_BACK) * scale, h - (z - low) * scale];
  const along = (x, y) => (x - pose.x) * pose.ahead_x + (y - pose.y) * pose.ahead_y;
  const aside = (x, y) => (x - pose.x) * pose.ahead_y - (y - pose.y) * pose.ahead_x;
  const trucks = state.trucks.filter((t) => Math.abs(aside(t.above[0], t.above[1])) < 2 * SIDE_NEAR);
  paintParts(pen, trucks, "side", place, ratio);
  paintParts(pen, state.parts, "side", place, ratio);
  pen.fillStyle = colour("grain");
  for (let k = 0; k < state.grains.length; k += 3) {
    const [x, y, z] = state.grains.slice(k, k + 3);
    if (Math.abs(aside(x, y)) < SIDE_NEAR) {
      const [px, py] = place(along(x, y), z);
      pen.fillRect(px - 1.5 * ratio, py - 1.5 * ratio, 3 * ratio, 3 * ratio);
    }
  }
  const line = [];
  ground.heights.forEach((z, k) => line.push(ground.from + k * ground.step, z));
  polygon(pen, line.concat([SIDE_AHEAD, low - 1, -SIDE_BACK, low - 1]), place);
  pen.globalAlpha = 0.82; // a bucket in the ground shows through
  pen.fillStyle = colour("soil");
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 2 * ratio;
  pen.strokeStyle = colour("soil-line");
  pen.stroke();
  for (const mark of state.marks.filter((m) => m.floor !== undefined)) {
    drawFloor(view, mark, pose, place);
  }
  scaleBar(view, 5);
}

// Where the plane of the arm cuts a trench, its walls and its floor as they are asked for.
function drawFloor(view, mark, pose, place) {
  const {pen, ratio} = view, c = Math.cos(mark.heading), s = Math.sin(mark.heading);
  let first = null, last = null;
  for (let along = -SIDE_BACK; along <= SIDE_AHEAD; along += 0.05) {
    const x = pose.x + along * pose.ahead_x - mark.x, y = pose.y + along * pose.ahead_y - mark.y;
    const length = x * c + y * s, width = y * c - x * s;
    if (length >= 0 && length <= mark.length && Math.abs(width) <= mark.width / 2) {
      first = first ?? along;
      last = along;
    }
  }
  if (first === null) {
    return;
  }
  pen.strokeStyle = colour("ask");
  pen.lineWidth = 2.5 * ratio;
  pen.setLineDash([7 * ratio, 5 * ratio]);
  pen.beginPath();
  pen.moveTo(...place(first, mark.floor + mark.depth));
  pen.lineTo(...place(first, mark.floor));
  pen.lineTo(...place(last, mark.floor));
  pen.lineTo(...place(last, mark.floor + mark.depth));
  pen.stroke();
  pen.setLineDash([]);
}

// A picture of the ground: light from the north-west on its heights, orange where it was dug, blue where it was filled.
function groundPicture(map) {
  const side = map.side, picture = new ImageData(side, side), rgb = (n) => colour(n).match(/\w\w/g).map((v) => parseInt(v, 16));
  const dug = rgb("dug"), filled = rgb("filled"), base = [176, 154, 122];
  for (let k = 0; k < side * side; k++) {
    const row = Math.floor(k / side), column = k % side, height = map.heights_cm[k];
    const at = 4 * ((side - 1 - row) * side + column);
    if (height === null) {
      continue; // beyond the site nothing is drawn
    }
    const west = column > 0 ? map.heights_cm[k - 1] : height, north = row + 1 < side ? map.heights_cm[k + side] : height;
    const light = Math.max(-60, Math.min(60, ((height - (west ?? height)) + (height - (north ?? height))) * -1.6));
    const rise = map.rises_cm[k], share = Math.min(1, Math.max(0, (Math.abs(rise) - 2) / 60)), tint = rise < 0 ? dug : filled;
    for (let c = 0; c < 3; c++) {
      const plain = base[c] + light;
      picture.data[at + c] = share > 0 ? plain + (tint[c] - plain) * (0.35 + 0.55 * share) : plain;
    }
    picture.data[at + 3] = 255;
  }
  return picture;
}

let groundCanvas = null, groundMap = null; // the picture of the map that came last

function drawGround(pen, map, place, scale) {
  if (map !== groundMap) {
    groundMap = map;
    groundCanvas = document.createElement("canvas");
    groundCanvas.width = groundCanvas.height = map.side;
    groundCanvas.getContext("2d").putImageData(groundPicture(map), 0, 0);
  }
  const [x, y] = place(map.west, map.south + map.side * map.step);
  pen.imageSmoothingEnabled = true;
  pen.drawImage(groundCanvas, x, y, map.side * map.step * scale, map.side * map.step * scale);
}

function drawMarks(view, marks, place) {
  const {pen, scale, ratio} = view;
  pen.strokeStyle = colour("mark");
  pen.lineWidth = 2.5 * ratio;
  pen.setLineDash([7 * ratio, 5 * ratio]);
  for (const mark of marks) {
    const c = Math.cos(mark.heading || 0), s = Math.sin(mark.heading || 0);
    if (mark.radius !== undefined) {
      const [x, y] = place(mark.x, mark.y);
      pen.beginPath();
      pen.arc(x, y, mark.radius * scale, 0, 2 * Math.PI);
    } else {
      const half = mark.width / 2, corners = [[0, -half], [mark.length, -half], [mark.length, half], [0, half]];
      polygon(pen, corners.flatMap(([l, b]) => [mark.x + l * c - b * s, mark.y + l * s + b * c]), place);
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

// The edge of the site: red and white as the tape on its stakes.
function drawEdge(view, [east, north], place) {
  const {pen, ratio} = view, corners = [-east / 2, -north / 2, east / 2, -north / 2, east / 2, north / 2, -east / 2, north / 2];
  pen.lineWidth = 2 * ratio;
  for (const [style, dash] of [["#fff", []], ["#c41e18", [6 * ratio, 6 * ratio]]]) {
    pen.strokeStyle = style;
    pen.setLineDash(dash);
    polygon(pen, corners, place);
    pen.stroke();
  }
  pen.setLineDash([]);
}

// A person is a dot with a white rim, as on the map in the window; what is to be kept clear about him a ring.
function drawPersons(view, persons, place) {
  const {pen, scale, ratio} = view;
  for (const [east, north, zone] of persons) {
    const [x, y] = place(east, north);
    pen.fillStyle = colour("over");
    pen.strokeStyle = "#fff";
    pen.lineWidth = 2 * ratio;
    pen.beginPath();
    pen.arc(x, y, Math.max(0.3 * scale, 5 * ratio), 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    if (zone > 0) {
      pen.strokeStyle = colour("over");
      pen.beginPath();
      pen.arc(x, y, zone * scale, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
}

function drawPlan(canvas, state, map) {
  const width = map ? map.side * map.step : 28, view = clearCanvas(canvas, width, "track"), {pen, h, scale, ratio} = view;
  const west = map ? map.west : state.pose.x - 14, south = map ? map.south : state.pose.y - 14;
  const place = (x, y) => [(x - west) * scale, h - (y - south) * scale];
  if (map) {
    drawGround(pen, map, place, scale);
  }
  drawEdge(view, state.site, place);
  drawMarks(view, state.marks, place);
  paintParts(pen, state.trucks, "above", place, ratio);
  paintParts(pen, state.parts, "above", place, ratio);
  pen.fillStyle = colour("grain");
  for (let k = 0; k < state.grains.length; k += 3) {
    const [x, y] = place(state.grains[k], state.grains[k + 1]);
    pen.fillRect(x - ratio, y - ratio, 2 * ratio, 2 * ratio);
  }
  drawPersons(view, state.persons, place);
  scaleBar(view, 5);
}
