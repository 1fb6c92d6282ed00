"use strict";

// The player of a film: strands with their places at key instants, moved straight between two of them.
(function () {
  const film = JSON.parse(document.getElementById("film").textContent);
  const [byId, times] = [(id) => document.getElementById(id), film.times];
  const [begin, end] = [times[0], times[times.length - 1]];
  const [width, height] = film.page;
  const places = wholeNumbers(film.places);
  const screen = byId("screen");
  const pen = screen.getContext("2d");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const state = { time: begin, playing: true, speed: film.speed, hidden: new Set(), scale: 1 };

  function wholeNumbers(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Int16Array.from({ length: bytes.length / 2 }, (_, k) => view.getInt16(2 * k, true));
  }

  // Where is the time between two key instants?
  function between(t) {
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    const share = (t - times[low]) / (times[high] - times[low]);
    return [low, Math.min(Math.max(share, 0), 1)];
  }

  // Points of a strand on the page, y downward.
  function pointsOf(strand, k, share) {
    const found = new Array(strand.count);
    const first = strand.begin + (strand.rests ? 0 : 2 * strand.count * k);
    const next = strand.rests ? first : first + 2 * strand.count;
    for (let n = 0; n < strand.count; n += 1) {
      const x = (1 - share) * places[first + 2 * n] + share * places[next + 2 * n];
      const y = (1 - share) * places[first + 2 * n + 1] + share * places[next + 2 * n + 1];
      found[n] = [x / film.parts, height - y / film.parts];
    }
    return found;
  }

  // In the dark greys change sides, and what is written or thin becomes lighter.
  const known = new Map();
  function colour(name, thin) {
    if (!dark.matches || name === "none") return name === "none" ? "transparent" : name;
    const key = name + thin;
    if (!known.has(key)) known.set(key, inTheDark(name, thin));
    return known.get(key);
  }
  function inTheDark(name, thin) {
    const parts = [1, 3, 5].map((k) => parseInt(name.slice(k, k + 2), 16));
    const grey = Math.max(...parts) - Math.min(...parts) < 12;
    const lighter = (part) => Math.round(thin ? part + 0.5 * (255 - part) : 0.9 * part);
    const turned = (part) => Math.round(23 + (0.82 * (255 - part)));
    return `rgb(${parts.map(grey ? turned : lighter).join(",")})`;
  }

  // Strands of every kind.
  function along(points) {
    pen.beginPath();
    points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  }
  function stroke(name, thickness, cap, dashes, thin) {
    pen.strokeStyle = colour(name, thin);
    pen.lineWidth = thickness;
    pen.lineCap = cap;
    pen.lineJoin = "round";
    pen.setLineDash(dashes);
    if (thickness > 0 && name !== "none") pen.stroke();
  }
  const draw = {
    line(look, points) {
      along(points);
      stroke(look.colour, look.width, look.cap, look.dashes, look.width < 2);
    },
    strokes(look, points) {
      pen.beginPath();
      points.forEach(([x, y], n) => (n % 2 ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      stroke(look.colour, look.width, "butt", [], true);
    },
    area(look, points) {
      along(points);
      pen.closePath();
      pen.globalAlpha = look.alpha;
      pen.fillStyle = colour(look.face, false);
      pen.fill();
      stroke(look.edge, look.width, "round", [], false);
      pen.globalAlpha = 1;
    },
    dot(look, [[x, y]]) {
      const radius = look.diameter / 2;
      pen.beginPath();
      if (look.shape === "square") pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else if (look.shape === "disc") pen.arc(x, y, radius, 0, 2 * Math.PI);
      else {
        for (const turn of [-0.5, 0.5]) {
          pen.moveTo(x, y);
          pen.arc(x, y, radius, turn * Math.PI, (turn + 0.5) * Math.PI);
          pen.closePath();
        }
      }
      pen.fillStyle = colour(look.face, false);
      if (look.face !== "none") pen.fill();
      stroke(look.edge, look.width, "butt", [], true);
    },
    text(look, points) {
      write(look.words, look, points[0]);
    },
    readout(look, points, strand, k, share) {
      const value = (1 - share) * strand.values[k] + share * strand.values[k + 1];
      const after = look.clock ? ` s, ${speedInWords(state.speed)}` : look.after;
      write(look.before + told(value, look) + after, look, points[0]);
    },
    arrow(look, points) {
      const length = points.slice(1).reduce((sum, p, n) => sum + distance(p, points[n]), 0);
      if (length < 3) return;
      let left = Math.min(8, 0.6 * length);
      const head = left;
      const shaft = points.slice();
      while (shaft.length > 2 && distance(shaft.at(-1), shaft.at(-2)) < left) {
        left -= distance(shaft.at(-1), shaft.at(-2));
        shaft.pop();
      }
      const [[a, b], [c, d]] = [shaft.at(-2), shaft.at(-1)];
      const size = Math.max(distance([a, b], [c, d]), 1e-9);
      const [u, v] = [(c - a) / size, (d - b) / size];
      const [x, y] = [c - left * u, d - left * v];
      along([...shaft.slice(0, -1), [x + 0.2 * head * u, y + 0.2 * head * v]]);
      stroke(look.colour, look.width, "butt", [], true);
      along([
        [x - 0.4 * head * v, y + 0.4 * head * u],
        [x + head * u, y + head * v],
        [x + 0.4 * head * v, y - 0.4 * head * u],
      ]);
      pen.closePath();
      pen.fillStyle = colour(look.colour, true);
      pen.fill();
    },
  };
  function distance([a, b], [c, d]) {
    return Math.hypot(a - c, b - d);
  }
  function write(words, look, [x, y]) {
    const style = `${look.italic ? "italic " : ""}${look.bold ? "bold " : ""}`;
    pen.font = `${style}${look.size}px system-ui, sans-serif`;
    pen.textAlign = look.anchor;
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.setLineDash([]);
    pen.lineWidth = 2.4;
    pen.strokeStyle = colour("#ffffff", false);
    pen.strokeText(words, x, y);
    pen.fillStyle = colour(look.colour, true);
    pen.fillText(words, x, y);
  }
  function told(value, look) {
    const words = value.toFixed(look.decimals);
    return (Number(words) === 0 ? words.replace("-", "") : words).replace("-", "−");
  }
  function speedInWords(speed) {
    if (Math.abs(speed - 1) < 1e-9) return "real time";
    const times = Number((speed < 1 ? 1 / speed : speed).toPrecision(4));
    return `${times} times ${speed < 1 ? "slower" : "faster"}`;
  }

  function show() {
    const [k, share] = between(state.time);
    const nearest = share > 0.5 ? k + 1 : k;
    const order = film.orders.findLast(([from]) => from <= nearest)[1];
    pen.setTransform(state.scale, 0, 0, state.scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    for (const n of order) {
      const strand = film.strands[n];
      const there = !strand.shown || strand.shown[nearest] === "1";
      if (there && !state.hidden.has(strand.layer)) {
        draw[strand.kind](strand.look, pointsOf(strand, k, share), strand, k, share);
      }
    }
    byId("slider").value = String((state.time - begin) / (end - begin));
    byId("time").value = `${state.time.toPrecision(4)} s`;
    document.body.dataset.time = String(state.time);
  }

  // The window, and the clock.
  function fit() {
    const room = screen.parentElement.getBoundingClientRect();
    const size = Math.max(Math.min((room.width - 16) / width, (room.height - 16) / height), 0.2);
    const dots = window.devicePixelRatio || 1;
    screen.style.width = `${width * size}px`;
    screen.style.height = `${height * size}px`;
    screen.width = Math.round(width * size * dots);
    screen.height = Math.round(height * size * dots);
    state.scale = size * dots;
    show();
  }
  let last = null;
  function tick(now) {
    if (state.playing && last !== null) {
      const passed = Math.min((now - last) / 1000, 0.25);
      const time = state.time + passed * state.speed;
      goTo(time > end ? begin + ((time - begin) % (end - begin)) : time);
    }
    last = now;
    window.requestAnimationFrame(tick);
  }
  function goTo(time) {
    state.time = Math.min(Math.max(time, begin), end);
    show();
  }
  function play(playing) {
    state.playing = playing;
    byId("play").textContent = playing ? "Pause" : "Play";
    document.body.dataset.playing = String(playing);
  }
  function seek(time) {
    play(false);
    goTo(time);
  }

  // Controls.
  const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4].map((factor) => factor * film.speed);
  if (!speeds.some((speed) => Math.abs(speed - 1) < 1e-9) && film.speed < 20 && film.speed > 0.05) speeds.push(1);
  speeds.sort((one, other) => one - other);
  for (const speed of speeds) {
    const option = new Option(`${Number(speed.toPrecision(3))} ×`, String(speed));
    option.selected = speed === film.speed;
    byId("speed").append(option);
  }
  function setSpeed(place) {
    const chosen = Math.min(Math.max(place, 0), speeds.length - 1);
    byId("speed").selectedIndex = chosen;
    state.speed = speeds[chosen];
    show();
  }
  const words = {
    names: "names", traces: "paths", bearings: "forces in the joints", efforts: "efforts", loads: "loads",
  };
  for (const layer of film.layers.filter((name) => name in words)) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.dataset.layer = layer;
    box.addEventListener("change", () => {
      if (box.checked) state.hidden.delete(layer);
      else state.hidden.add(layer);
      show();
    });
    const label = document.createElement("label");
    label.append(box, ` ${words[layer]}`);
    byId("layers").append(label);
  }
  byId("play").addEventListener("click", () => play(!state.playing));
  byId("slider").addEventListener("input", (event) => seek(begin + Number(event.target.value) * (end - begin)));
  byId("speed").addEventListener("change", (event) => setSpeed(event.target.selectedIndex));

  // A press on the curves, or a drag along them, goes to that time.
  function pressed(event) {
    const box = screen.getBoundingClientRect();
    const x = ((event.clientX - box.left) * width) / box.width;
    const y = height - ((event.clientY - box.top) * height) / box.height;
    const [left, right, low, high] = film.cursor;
    if (event.type === "pointermove" && event.buttons !== 1) return;
    if (y > low - 12 && y < high + 12 && x > left - 12 && x < right + 12) {
      seek(begin + ((x - left) / (right - left)) * (end - begin));
    }
  }
  if (film.cursor) {
    screen.addEventListener("pointerdown", pressed);
    screen.addEventListener("pointermove", pressed);
  }

  const keys = {
    " ": () => play(!state.playing),
    ArrowLeft: () => seek(state.time - film.speed / Math.min(film.rate, 30)),
    ArrowRight: () => seek(state.time + film.speed / Math.min(film.rate, 30)),
    Home: () => seek(begin),
    End: () => seek(end),
    "-": () => setSpeed(byId("speed").selectedIndex - 1),
    "+": () => setSpeed(byId("speed").selectedIndex + 1),
  };
  document.addEventListener("keydown", (event) => {
    const typed = ["BUTTON", "SELECT"].includes(event.target.tagName) || event.target.type === "checkbox";
    if (event.key in keys && !(typed && event.key === " ") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  window.addEventListener("resize", fit);
  dark.addEventListener("change", show);

  play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  fit();
  window.requestAnimationFrame(tick);
})();
