// @ts-check
import { h, listOf, objectOf, styled, textOf } from "./dom.js";
import { counted } from "./snapshot.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./strings.js").Words} Words */

/** Levels from most to least trusted; others follow. */
const LEVELS = ["automatic", "learning", "raw", "sleeping"];
/** Decisions from acting to leaving it. */
const DECISIONS = ["execute", "assist", "hint", "delegate"];
/** What fits beside the other two cards. */
const CATEGORIES_SHOWN = 5;
const DECISIONS_SHOWN = 4;

/**
 * The title and a sentence on what is here.
 * @param {Snapshot} snapshot @param {Words} words @param {Node[]} controls
 */
export function header(snapshot, words, controls) {
  const { title, generated_at: generated } = snapshot.data;
  const categories = counted(snapshot.index.category, snapshot.index.categories).length;
  const parts = [words.say("experiences", { n: snapshot.size })];
  if (categories)
    parts[0] +=
      (words.language === "zh" ? "，" : " ") + words.say("inCategories", { n: categories });
  if (generated) parts.push(words.say("written", { date: words.date(generated) }));
  return h(
    "header.head",
    {},
    h("h1", {}, textOf(title)),
    h("p.meta", {}, parts.join(words.language === "zh" ? "，" : ", ")),
    h("div.controls", {}, controls),
  );
}

/**
 * The three cards above the list.
 * @param {Snapshot} snapshot @param {Words} words
 * @param {(name: "level" | "category", value: string) => void} narrow
 */
export function summary(snapshot, words, narrow) {
  return h(
    "section.summary",
    { "aria-label": words.say("summary") },
    trustCard(snapshot, words, narrow),
    categoryCard(snapshot, words, narrow),
    decisionCard(snapshot, words),
  );
}

/** @param {string} heading @param {Node[]} children */
function card(heading, ...children) {
  return h("div.card", {}, h("h2", {}, heading), ...children);
}

/** @param {Snapshot} snapshot @param {Words} words @param {Function} narrow */
function trustCard({ index, size }, words, narrow) {
  const levels = inOrder(counted(index.level, index.levels), LEVELS);
  const automatic = levels.find(([name]) => name === "automatic")?.[1] ?? 0;
  const names = levels.map(([name, n]) => [words.value("level", name), n]);
  return card(
    words.say("trust"),
    h(
      "p.figure",
      {},
      h("b", {}, words.number(automatic)),
      ` ${words.say("onTheirOwn", { n: automatic })}`,
    ),
    strip("level", levels, size, names.map(([name, n]) => `${n} ${name}`).join(", ")),
    key("level", levels, words, narrow),
  );
}

/**
 * Shares of a whole as one bar.
 * @param {string} group @param {[string, number][]} counts
 * @param {number} total @param {string} label
 */
function strip(group, counts, total, label) {
  const parts = counts.map(([name, n]) =>
    styled(h("i", { "data-value": `${group}-${name}` }), "flex-grow", n / Math.max(total, 1)),
  );
  return h("div.strip", { role: "img", "aria-label": label }, parts);
}

/**
 * The bar's colours with their counts, each a way into the list.
 * @param {string} group @param {[string, number][]} counts
 * @param {Words} words @param {Function | null} narrow
 */
function key(group, counts, words, narrow) {
  const entries = counts.map(([name, n]) =>
    h(
      narrow ? "button.entry" : "span.entry",
      narrow ? { type: "button", click: () => narrow(group, name) } : {},
      h("i.dot", { "data-value": `${group}-${name}` }),
      h("b", {}, words.number(n)),
      ` ${words.value(group, name)}`,
    ),
  );
  return h("div.key", {}, entries);
}

/** @param {Snapshot} snapshot @param {Words} words @param {Function} narrow */
function categoryCard({ index }, words, narrow) {
  const counts = counted(index.category, index.categories);
  const most = counts[0]?.[1] ?? 1;
  const bars = counts
    .slice(0, CATEGORIES_SHOWN)
    .map(([name, n]) =>
      h(
        "button.bar",
        { type: "button", title: name, click: () => narrow("category", name) },
        h("span.name", {}, words.value("category", name)),
        styled(h("span.track", {}, h("i")), "--share", n / most),
        h("span.count", {}, words.number(n)),
      ),
    );
  const more = counts.length - CATEGORIES_SHOWN;
  return card(
    words.say("whatAbout"),
    h("div.bars", {}, bars.length ? bars : h("p.quiet", {}, words.say("uncategorised"))),
    ...(more > 0 ? [h("p.quiet", {}, words.say("others", { n: more }))] : []),
  );
}

/** @param {Snapshot} snapshot @param {Words} words */
function decisionCard(snapshot, words) {
  const decisions = listOf(snapshot.data.decisions).map(objectOf);
  if (!decisions.length) {
    const answered = listOf(objectOf(snapshot.data.activity).days).length > 0;
    const why = words.say(answered ? "requestsKept" : "noDecisions");
    return card(words.say("recent"), h("p.quiet", {}, why));
  }
  const counts = new Map();
  for (const { decision } of decisions) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  const rows = decisions.slice(0, DECISIONS_SHOWN).map((each) => decisionRow(each, words));
  return card(
    words.say("recent"),
    h("ul.decisions", {}, rows),
    key("decision", inOrder([...counts], DECISIONS), words, null),
  );
}

/** @param {Record<string, any>} decision @param {Words} words */
function decisionRow(decision, words) {
  const request = textOf(decision.input);
  return h(
    "li",
    {},
    h("i.dot", { "data-value": `decision-${textOf(decision.decision)}` }),
    h(
      "span.request",
      { title: request },
      request === "…" ? h("span.quiet", {}, words.say("hidden")) : request,
    ),
    h("span.quiet", {}, words.value("decision", textOf(decision.decision))),
  );
}

/**
 * @param {[string, number][]} counts @param {string[]} order
 * @returns {[string, number][]}
 */
function inOrder(counts, order) {
  const place = (/** @type {string} */ name) =>
    (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return counts.sort((a, b) => place(a[0]) - place(b[0]));
}
