// @ts-check
import { address, h, listOf, objectOf, textOf } from "./dom.js";
import {
  bullets,
  chips,
  folded,
  marked,
  paragraph,
  sequence,
  several,
  shortened,
} from "./parts.js";
import { inline, prose } from "./prose.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./snapshot.js").Detail} Detail */
/** @typedef {import("./strings.js").Words} Words */
/** @typedef {{ snapshot: Snapshot, row: number, words: Words }} Context */
/** @typedef {Record<string, any>} Content */
/** @typedef {import("./dom.js").Child} Child */

/**
 * The parts of an experience in reading order: the heading's text, and what
 * stands under it. A part that gives nothing is left out.
 * @type {[string, (content: Content, context: Context, detail: Detail) => Child | Child[]][]}
 */
const PARTS = [
  ["when", ({ when }) => when && paragraph(when, "when")],
  ["do", ({ polarity, do: act }) => polarity !== "avoid" && act && paragraph(act, "do")],
  ["avoid", ({ polarity, do: act }) => polarity === "avoid" && act && paragraph(act, "do.avoid")],
  ["lesson", lesson],
  ["goal", ({ logic }) => logic.goal && paragraph(logic.goal)],
  ["due", due],
  ["needs", ({ requires }, { words }) => chips(requires, words)],
  ["takes", ({ logic }, { words }) => chips(objectOf(logic.io).inputs, words)],
  ["steps", ({ logic }, { words }) => sequence(logic.path, words, step)],
  ["branches", ({ logic }, { words }) => several(logic.branches, words, branch)],
  ["gives", ({ logic }, { words }) => chips(objectOf(logic.io).outputs, words)],
  ["answer", ({ exec }) => Object.entries(objectOf(exec.template)).map(template)],
  ["workflow", ({ exec }, { words }) => sequence(exec.workflow, words, call)],
  ["rules", rules],
  ["triggers", ({ logic }, { words }) => chips(logic.triggers, words)],
  ["exemplars", ({ exemplars }, { words }) => bullets(exemplars, words)],
  ["tests", tests],
  ["references", ({ logic }, { words }) => bullets(logic.references, words, address)],
  ["relations", relations],
  ["evidence", evidence],
  ["origin", origin],
  ["notes", ({ notes }) => notes && prose(textOf(notes))],
  ["standing", standing],
  ["versions", (_, { words }, { versions }) => several(versions, words, version, VERSIONS)],
];

/** Versions, and fields changed in each, before the rest is folded away. */
const VERSIONS = 6;
const CHANGES = 4;

/** Standing values that are shown under a name of their own, and how. */
const STANDING = /** @type {Record<string, (value: any, words: Words) => string>} */ ({
  total_usage: (value, { say }) => say("times", { n: Number(value) }),
  last_used: (value, { date }) => (value ? date(value) : ""),
  approved: (value, { say }) => say(value ? "yes" : "no"),
  may_execute: (value, { say }) => say(value ? "yes" : "no"),
  status: (value, words) => words.value("status", value),
});
/** Standing is a small table; what is beyond it stands in the raw JSON. */
const VALUES = 20;
/** Told together as one sentence, or beside the name. */
const TOLD_ELSEWHERE = ["success_count", "failure_count", "score", "level"];

/**
 * One experience, read like a recipe.
 * @param {Detail} detail @param {Context} context
 * @returns {Node[]}
 */
export function recipe(detail, context) {
  const content = objectOf(detail.content);
  const whole = { ...content, logic: objectOf(content.logic), exec: objectOf(content.exec) };
  const { index } = context.snapshot;
  const description = textOf(content.description) || index.description[context.row];
  const found = [...(description ? [h("p.lead", {}, description)] : [])];
  for (const [heading, make] of PARTS) {
    const part = [make(whole, context, detail)].flat().filter(Boolean);
    if (part.length) found.push(section(context.words.say(heading), part));
  }
  return [...found, rawJson(detail, context)];
}

/** @param {string} heading @param {Child[]} children */
function section(heading, children) {
  return h("section", {}, h("h3", {}, heading), ...children);
}

/** @param {unknown} item @param {Words} words @returns {Child[]} */
function step(item, words) {
  if (typeof item !== "object") return [textOf(item)];
  const { action, tool, ...rest } = objectOf(item);
  const notes = ["input", "expect", "verify"].filter((name) => textOf(rest[name]));
  return [
    ...inline(textOf(action)),
    ...(textOf(tool) ? [" ", h("code", {}, textOf(tool))] : []),
    ...notes.map((name) =>
      h("span.note", {}, h("b", {}, words.say(name)), " ", ...inline(textOf(rest[name]))),
    ),
  ];
}

/** @param {unknown} item @param {Words} words */
function branch(item, words) {
  const { if: condition, then, why } = objectOf(item);
  return h(
    "div.branch",
    {},
    h("b", {}, words.say("if", { condition: textOf(condition) })),
    h("p", {}, ...inline(textOf(then))),
    textOf(why) && h("p.quiet", {}, `${words.say("why")}: ${textOf(why)}`),
  );
}

/** @param {Content} content */
function lesson({ text, quote, source }) {
  return [
    textOf(text) && paragraph(text, "lesson"),
    textOf(quote) &&
      h("blockquote", {}, textOf(quote), textOf(source) && h("cite", {}, address(source))),
  ];
}

/** @param {Content} content */
function due({ trigger }) {
  const { event, frequency, condition } = objectOf(trigger);
  const parts = [event, frequency].map(textOf).filter(Boolean);
  if (textOf(condition)) parts.push(textOf(condition));
  return parts.length > 0 && h("p", {}, parts.join(" · "));
}

/** @param {[string, unknown]} entry */
function template([name, value]) {
  return h(
    "figure",
    {},
    name !== "reply" && h("figcaption", {}, name),
    h("pre", { tabindex: 0 }, textOf(value)),
  );
}

/** @param {unknown} item @returns {Child[]} */
function call(item) {
  const { name, provider, params } = objectOf(item);
  const entries = Object.entries(objectOf(params)).map(([key, value]) => `${key}=${textOf(value)}`);
  return [`${textOf(name)} `, h("code", {}, `${textOf(provider)}(${entries.join(", ")})`)];
}

/** @param {Content} content @param {Context} context */
function rules({ exec }, { words }) {
  const rule = (/** @type {any} */ item) =>
    h(
      "div.branch",
      {},
      h("code", {}, textOf(objectOf(item).if)),
      ` → ${textOf(objectOf(item).then)}`,
    );
  return [
    ...several(exec.exception_rules, words, rule),
    ...several(exec.decision_rules, words, rule),
  ];
}

/** @param {Content} content @param {Context} context */
function tests(content, { words }) {
  return Object.entries(objectOf(content.tests)).map(([name, requests]) =>
    h("div", {}, h("p.quiet", {}, words.value("tests", name)), bullets(requests, words)),
  );
}

/** @param {Content} content @param {Context} context @param {Detail} detail */
function relations(content, { snapshot, words }, detail) {
  const own = [
    ...listOf(content.parent_id).map((id) => ["parent", id]),
    ...listOf(content.prerequisites).map((id) => ["prerequisite", id]),
    ...listOf(content.extends).map((id) => ["extends", id]),
    ...listOf(content.links).map((link) => [
      objectOf(link).relation,
      objectOf(link).target,
      objectOf(link).note,
    ]),
  ].map(([relation, id, note]) => [words.value("relation", relation), id, note]);
  const back = listOf(detail.backlinks).map(([relation, id]) => [
    words.value("back", relation),
    id,
  ]);
  const line = (/** @type {any[]} */ [relation, id, note]) =>
    h(
      "div",
      {},
      h("dt", {}, relation),
      h(
        "dd",
        {},
        experienceLink(textOf(id), snapshot),
        textOf(note) && h("span.note", {}, textOf(note)),
      ),
    );
  return shortened([...own, ...back].map(line), words, (lines) => h("dl.relations", {}, lines));
}

/** A link to what is in the snapshot, plain text for what is not. @param {string} id @param {Snapshot} snapshot */
export function experienceLink(id, snapshot) {
  const row = snapshot.rowOf(id);
  if (row < 0) return h("span", {}, id);
  return h("a", { href: `#${encodeURIComponent(id)}` }, snapshot.index.name[row]);
}

/** @param {Content} content @param {Context} context @param {Detail} detail */
function evidence(content, { words }, { episodes }) {
  const source = objectOf(content.origin);
  const cited = listOf(source.episode_ids).map((id) => ({ episode_id: id }));
  const named = new Set(listOf(source.evidence).map((item) => objectOf(item).episode_id));
  const all = [...listOf(source.evidence), ...cited.filter((item) => !named.has(item.episode_id))];
  return several(all, words, (item) => piece(objectOf(item), objectOf(episodes), words));
}

/** @param {Content} item @param {Record<string, any>} episodes @param {Words} words */
function piece({ episode_id: id, ref, type, note }, episodes, words) {
  const name = textOf(ref) || textOf(id);
  const episode = Object.hasOwn(episodes, textOf(id)) ? objectOf(episodes[id]) : {};
  const text = textOf(episode.text);
  const title = [name, textOf(note), textOf(type ?? episode.type)].filter(Boolean);
  if (!text)
    return h(
      "p.piece",
      {},
      address(title[0]),
      title.length > 1 && ` · ${title.slice(1).join(" · ")}`,
    );
  const when = textOf(episode.created_at);
  if (when) title.push(words.date(when));
  return folded(title.join(" · "), () => h("pre", { tabindex: 0 }, text));
}

/** @param {Content} content @param {Context} context */
function origin(content, { words }) {
  const { type, source, reason } = objectOf(content.origin);
  const parts = [textOf(type) && words.value("origin", type), textOf(source), textOf(reason)];
  const text = parts.filter(Boolean).join(" · ");
  return text && h("p", {}, text);
}

/** @param {Content} content @param {Context} context @param {Detail} detail */
function standing(content, { snapshot, row, words }, detail) {
  const { index } = snapshot;
  const values = objectOf(detail.standing);
  const level = words.value("level", index.levels[index.level[row]]);
  const lines = [
    [words.say("confidence"), `${index.score[row].toFixed(2)} · ${level}`],
    [words.say("worked"), worked(values, words)],
  ];
  for (const [name, value] of Object.entries(values)) {
    if (TOLD_ELSEWHERE.includes(name)) continue;
    const known = Object.hasOwn(STANDING, name);
    lines.push(
      known
        ? [words.say(name), STANDING[name](value, words)]
        : [name.replaceAll("_", " "), textOf(value)],
    );
  }
  const shown = lines.filter(([, value]) => value).slice(0, VALUES);
  return h(
    "dl",
    {},
    shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** @param {Record<string, any>} values @param {Words} words */
function worked({ success_count: good, failure_count: bad }, words) {
  const total = Number(good ?? 0) + Number(bad ?? 0);
  return total ? words.say("workedOf", { n: Number(good ?? 0), total }) : words.say("neverTried");
}

/** @param {any} item @param {Words} words */
function version(item, words) {
  const { note, created_at: created, changes } = objectOf(item);
  const marks = several(changes, words, change, CHANGES);
  const told = textOf(note) || (marks.length > 0 ? "" : words.say("firstVersion"));
  return h(
    "div.version",
    {},
    h("time", { datetime: textOf(created) }, words.date(textOf(created))),
    h("div", {}, told, ...marks),
  );
}

/** @param {any} item */
function change(item) {
  const { path, before, after } = objectOf(item);
  return h(
    "p.change",
    {},
    h("span.quiet", {}, `${textOf(path)}: `),
    ...marked(textOf(before), textOf(after)),
  );
}

/** @param {Detail} detail @param {Context} context */
function rawJson({ content, standing: earned }, { snapshot, row, words }) {
  const whole = { id: snapshot.index.id[row], content, standing: earned };
  return folded(words.say("raw"), () => h("pre", { tabindex: 0 }, JSON.stringify(whole, null, 2)));
}
