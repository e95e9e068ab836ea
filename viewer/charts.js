// @ts-check
import { h, svg } from "./dom.js";

/** @typedef {import("./strings.js").Words} Words */

/** Units of a drawing, which is as wide as there is room. */
const WIDTH = 300;
const HEIGHT = 64;
/** Lines keep their width however far a drawing is stretched. */
const THIN = { "vector-effect": "non-scaling-stroke" };

/**
 * Bars stacked by day; read aloud as one sentence.
 * @param {string[]} days
 * @param {[string, number[]][]} parts name of a colour and its number on each day
 * @param {string} label @param {Words} words
 */
export function dayBars(days, parts, label, words) {
  const most = Math.max(1, ...days.map((_, at) => parts.reduce((n, [, each]) => n + each[at], 0)));
  const step = WIDTH / days.length;
  const bars = days.flatMap((_, at) => {
    let top = HEIGHT;
    return parts.flatMap(([name, numbers]) => {
      const height = (numbers[at] / most) * HEIGHT;
      top -= height;
      if (!height) return [];
      const place = { x: at * step + 1, y: top, width: Math.max(step - 2, 1), height };
      return [svg("rect", { ...place, "data-value": name })];
    });
  });
  return chart(label, [...bars, baseline()], days, words);
}

/**
 * A number that grew, as a line; read aloud as one sentence.
 * @param {[string, number][]} points day and number, in order
 * @param {string} label @param {Words} words
 */
export function growthLine(points, label, words) {
  const times = points.map(([day]) => Date.parse(day));
  const span = Math.max(1, times[times.length - 1] - times[0]);
  const most = Math.max(1, points[points.length - 1][1]);
  const path = points.map(([, number], at) => {
    const x = ((times[at] - times[0]) / span) * WIDTH;
    const y = HEIGHT - (number / most) * (HEIGHT - 4);
    return at ? `H${x.toFixed(1)}V${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = svg("path", { d: `${path.join("")}H${WIDTH}`, class: "line", ...THIN });
  return chart(label, [line, baseline()], points.map(([day]) => day), words);
}

/**
 * A share and the most that it can be, on a line from nothing to twice that.
 * @param {number} rate @param {number} bound @param {string} label
 */
export function interval(rate, bound, label) {
  const most = Math.min(1, Math.max(2 * bound, 0.05));
  const x = (/** @type {number} */ share) => (share / most) * WIDTH;
  const [y, height] = [HEIGHT / 2 - 6, 12];
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  const parts = [
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "base", ...THIN }),
    svg("rect", { x: 0, y, width: x(bound), height, class: "bound" }),
    svg("line", { x1: x(rate), x2: x(rate), y1: y - 8, y2: y + height + 8, class: "line", ...THIN }),
  ];
  return h(
    "figure.chart",
    {},
    /** @type {any} */ (svg("svg", { ...size, role: "img", "aria-label": label }, ...parts)),
  );
}

function baseline() {
  return svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, class: "base", ...THIN });
}

/**
 * A drawing with its first and last day below it.
 * @param {string} label @param {Element[]} parts @param {string[]} days @param {Words} words
 */
function chart(label, parts, days, words) {
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  const ends = days.length > 1 ? [days[0], days[days.length - 1]] : days;
  return h(
    "figure.chart",
    {},
    /** @type {any} */ (svg("svg", { ...size, role: "img", "aria-label": label }, ...parts)),
    h("figcaption", { "aria-hidden": "true" }, ends.map((day) => h("span", {}, words.date(day)))),
  );
}
