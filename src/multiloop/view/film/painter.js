"use strict";

// Draws the strands of a film between two key instants, in the colours of the light or dark theme.
function painter(film, pen, dark) {
  const [width, height] = film.page;
  const places = wholeNumbers(film.places);

  function wholeNumbers(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Int16Array.from({ length: bytes.length / 2 }, (_, k) => view.getInt16(2 * k, true));
  }

  // Points of a strand on the page, with y downward, at a fraction `share` between key instants k and k + 1.
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

  // In the dark theme greys are inverted, and text and thin lines become lighter.
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

  // One function for each kind of strand.
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
      else if (look.shape === "diamond") {
        const reach = Math.SQRT2 * radius;
        pen.moveTo(x - reach, y);
        for (const [right, up] of [[0, reach], [reach, 0], [0, -reach]]) pen.lineTo(x + right, y + up);
        pen.closePath();
      } else if (look.shape === "disc") pen.arc(x, y, radius, 0, 2 * Math.PI);
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
    readout(look, points, strand, k, share, speed) {
      const value = (1 - share) * strand.values[k] + share * strand.values[k + 1];
      const after = look.clock ? ` s, ${speedInWords(speed)}${look.remark}` : look.after;
      write(look.before + numberText(value, look) + after, look, points[0]);
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
  function numberText(value, look) {
    const words = value.toFixed(look.decimals);
    return (Number(words) === 0 ? words.replace("-", "") : words).replace("-", "−");
  }
  function speedInWords(speed) {
    if (Math.abs(speed - 1) < 1e-9) return "real time";
    const times = Number((speed < 1 ? 1 / speed : speed).toPrecision(4));
    return `${times} times ${speed < 1 ? "slower" : "faster"}`;
  }

  // Draw all layers that are not hidden, at a fraction `share` between key instants k and k + 1.
  return function paint(k, share, scale, hidden, speed) {
    const nearest = share > 0.5 ? k + 1 : k;
    const order = film.orders.findLast(([from]) => from <= nearest)[1];
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    for (const n of order) {
      const strand = film.strands[n];
      const there = !strand.shown || strand.shown[nearest] === "1";
      if (there && !hidden.has(strand.layer)) {
        draw[strand.kind](strand.look, pointsOf(strand, k, share), strand, k, share, speed);
      }
    }
  };
}
