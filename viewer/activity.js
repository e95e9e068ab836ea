// @ts-check
import { dayBars, growthLine, interval } from "./charts.js";
import { h, listOf, objectOf, textOf } from "./dom.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./strings.js").Words} Words */

/** Decisions from acting to leaving it. */
const OUTCOMES = ["execute", "assist", "hint", "delegate"];

/**
 * The second row of cards; none where nothing has happened yet.
 * @param {Snapshot} snapshot @param {Words} words
 */
export function activity(snapshot, words) {
  const told = objectOf(snapshot.data.activity);
  const cards = [
    decided(told, words),
    budget(told, words),
    grown(told, words),
    helped(told, snapshot, words),
    needed(told, snapshot, words),
  ];
  const shown = cards.filter((card) => card !== null);
  return shown.length
    ? h("section.summary.activity", { "aria-label": words.say("activity") }, shown)
    : null;
}

/** @param {string} heading @param {(Node | null)[]} children */
function card(heading, ...children) {
  return h("div.card", {}, h("h2", {}, heading), ...children.filter((child) => child !== null));
}

/** @param {Record<string, any>} told @param {Words} words */
function decided(told, words) {
  const days = listOf(told.days).map(String);
  if (!days.length) return null;
  const outcomes = objectOf(told.outcomes);
  /** @type {[string, number[]][]} */
  const parts = OUTCOMES.map((name) => {
    const numbers = listOf(outcomes[name]);
    return [`decision-${name}`, days.map((_, at) => Number(numbers[at]) || 0)];
  });
  const totals = OUTCOMES.map((name, at) => {
    const n = parts[at][1].reduce((sum, each) => sum + each, 0);
    return `${words.number(n)} ${words.value("decision", name)}`;
  });
  const saved = Number(told.saved) || 0;
  const tokens = Number(told.tokens_saved) || 0;
  return card(
    words.say("lastDays", { n: days.length }),
    saved ? h("p.figure", {}, h("b", {}, words.number(saved)), ` ${words.say("saved", { n: saved })}`) : null,
    tokens ? h("p.quiet", {}, words.say("tokensSaved", { n: tokens })) : null,
    dayBars(days, parts, totals.join(", "), words),
    h("p.quiet", {}, totals.join(", ")),
  );
}

/**
 * How often executions were wrong, and how far that can be known.
 * @param {Record<string, any>} told @param {Words} words
 */
function budget(told, words) {
  const found = objectOf(told.budget);
  const [executed, labelled, wrong] = [found.executed, found.labelled, found.wrong].map(Number);
  if (!executed) return null;
  const share = (/** @type {number} */ value) => words.percent(value);
  const allowed = words.say("allowed", { share: share(Number(found.allowed)) });
  if (!labelled) {
    return card(words.say("budget"), h("p", {}, words.say("unjudged", { n: executed })), h("p.quiet", {}, allowed));
  }
  const [rate, bound] = [Number(found.rate), Number(found.bound)];
  const label = words.say("wrongAtMost", { share: share(rate), bound: share(bound) });
  return card(
    words.say("budget"),
    h("p.figure", {}, h("b", {}, `${words.number(wrong)} / ${words.number(labelled)}`), ` ${words.say("wrong", { n: labelled })}`),
    interval(rate, bound, label),
    h("p.quiet", {}, label),
    h("p.quiet", {}, allowed),
  );
}

/** @param {Record<string, any>} told @param {Words} words */
function grown(told, words) {
  const points = pairs(told.grown);
  if (points.length < 2) return null;
  const first = points[0];
  const last = points[points.length - 1];
  const label = words.say("grownLabel", { from: first[1], to: last[1] });
  return card(words.say("grown"), growthLine(points, label, words), h("p.quiet", {}, label));
}

/** @param {Record<string, any>} told @param {Snapshot} snapshot @param {Words} words */
function helped(told, snapshot, words) {
  const rows = pairs(told.helped).map(([id, n]) => named(snapshot, id, words.say("times", { n })));
  return rows.length ? card(words.say("helped"), h("ul.named", {}, rows)) : null;
}

/** @param {Record<string, any>} told @param {Snapshot} snapshot @param {Words} words */
function needed(told, snapshot, words) {
  const waiting = Number(told.waiting) || 0;
  const stale = objectOf(told.stale);
  const count = Number(stale.count) || 0;
  if (!waiting && !count) return null;
  const rows = pairs(stale.first).map(([id, n]) => named(snapshot, id, words.say("days", { n })));
  return card(
    words.say("needed"),
    waiting ? h("p", {}, words.say("waiting", { n: waiting })) : null,
    count ? h("p", {}, words.say("stale", { n: count })) : null,
    rows.length ? h("ul.named", {}, rows) : null,
  );
}

/** Pairs of a text and a number, whatever else a document has there left out. @param {unknown} values */
function pairs(values) {
  return listOf(values)
    .filter((each) => Array.isArray(each) && Number.isFinite(each[1]))
    .map((each) => /** @type {[string, number]} */ ([textOf(each[0]), each[1]]));
}

/** @param {Snapshot} snapshot @param {string} id @param {string} beside */
function named(snapshot, id, beside) {
  const row = snapshot.rowOf(id);
  const name = row < 0 ? id : snapshot.index.name[row];
  return h(
    "li",
    {},
    row < 0 ? h("span.name", {}, name) : h("a.name", { href: `#${encodeURIComponent(id)}` }, name),
    h("span.quiet", {}, beside),
  );
}
