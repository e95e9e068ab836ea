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
    return `${at && `H${x.toFixed(1)}`}${at ? "V" : `M${x.toFixed(1)} `}${y.toFixed(1)}`;
  });
  const line = svg("path", { d: `${path.join("")}H${WIDTH}`, class: "line", ...THIN });
  return chart(label, [line, baseline()], points.map(([day]) => day), words);
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
