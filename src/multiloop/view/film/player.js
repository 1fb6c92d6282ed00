"use strict";

// The player of a film: clock, controls and window.
(function () {
  const film = JSON.parse(document.getElementById("film").textContent);
  const [byId, times] = [(id) => document.getElementById(id), film.times];
  const [begin, end] = [times[0], times[times.length - 1]];
  const [width, height] = film.page;
  const screen = byId("screen");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const paint = painter(film, screen.getContext("2d"), dark);
  const state = { time: begin, playing: true, speed: film.speed, hidden: new Set(), scale: 1 };

  // The key instant before time t, and the fraction of the interval to the next one.
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

  function show() {
    paint(...between(state.time), state.scale, state.hidden, state.speed);
    byId("slider").value = String((state.time - begin) / (end - begin));
    byId("time").value = `${state.time.toPrecision(4)} s`;
    document.body.dataset.time = String(state.time);
  }

  // Size of the window, and the clock.
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
    names: "names", traces: "paths", bearings: "joint reactions", efforts: "efforts", loads: "loads",
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

  // Pressing or dragging on the curves moves to that time.
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
