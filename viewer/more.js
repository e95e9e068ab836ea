// @ts-check
import { h, listOf, objectOf, textOf } from "./dom.js";
import { folded, shortened } from "./parts.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./strings.js").Words} Words */

/** Decisions and families shown before the rest is folded away. */
const SHOWN = 25;

/**
 * What stands below the list, each made when it is unfolded.
 * @param {Snapshot} snapshot @param {Words} words
 */
export function more(snapshot, words) {
  const decisions = listOf(snapshot.data.decisions).map(objectOf);
  const families = trees(snapshot);
  const goals = listOf(snapshot.data.goals).map(objectOf);
  const parts = [];
  if (decisions.length) {
    const list = (/** @type {any[]} */ some) =>
      h(
        "ul.told",
        {},
        some.map((each) => decision(each, snapshot, words)),
      );
    parts.push(part(words.say("allDecisions", { n: decisions.length }), decisions, words, list));
  }
  if (families.length) {
    const list = (/** @type {any[]} */ some) =>
      h(
        "ul.tree",
        {},
        some.map(([name, roots]) => h("li", {}, h("b", {}, name), branch(roots, snapshot))),
      );
    parts.push(part(words.say("allFamilies", { n: families.length }), families, words, list));
  }
  if (goals.length) {
    const list = (/** @type {any[]} */ some) => h("ul.told", {}, some.map((each) => goal(each, words)));
    parts.push(part(words.say("goals", { n: goals.length }), goals, words, list));
  }
  return parts.length ? h("section.card.more", { "aria-label": words.say("below") }, parts) : null;
}

/** @param {string} title @param {any[]} all @param {Words} words @param {(some: any[]) => Node} list */
function part(title, all, words, list) {
  return folded(title, () => h("div", {}, ...shortened(all, words, list, SHOWN)));
}

/** @param {Record<string, any>} each @param {Snapshot} snapshot @param {Words} words */
function decision(each, snapshot, words) {
  const sources = listOf(each.sources).map(objectOf);
  const skipped = listOf(each.skipped).filter(Array.isArray).map((one) => `${textOf(one[0])} (${words.value("factor", textOf(one[1]))})`);
  const request = textOf(each.input);
  return h(
    "li",
    {},
    h("i.dot", { "data-value": `decision-${textOf(each.decision)}` }),
    h("span.request", {}, request === "…" || !request ? words.say("hidden") : request),
    h("span.quiet", {}, `${words.value("decision", textOf(each.decision))}, ${words.date(each.created_at)}`),
    sources.length
      ? h("p", {}, `${words.say("served")} `, ...links(sources, snapshot))
      : "",
    skipped.length ? h("p.quiet", {}, `${words.say("skipped")} ${skipped.join(", ")}`) : "",
  );
}

/** @param {Record<string, any>[]} sources @param {Snapshot} snapshot */
function links(sources, snapshot) {
  return sources.flatMap(({ id, name }, at) => [
    at ? ", " : "",
    snapshot.rowOf(textOf(id)) < 0
      ? textOf(name)
      : h("a", { href: `#${encodeURIComponent(textOf(id))}` }, textOf(name)),
  ]);
}

/** @param {Record<string, any>} each @param {Words} words */
function goal(each, words) {
  return h(
    "li",
    {},
    h("b", {}, textOf(each.title)),
    h("span.quiet", {}, words.value("goal", textOf(each.status))),
    textOf(each.detail) ? h("p", {}, textOf(each.detail)) : "",
    textOf(each.progress) ? h("p.quiet", {}, textOf(each.progress)) : "",
  );
}

/**
 * Families of more than one, each with its roots and what is below them.
 * @param {Snapshot} snapshot
 * @returns {[string, Branch[]][]}
 * @typedef {{ row: number, below: Branch[] }} Branch
 */
function trees({ index }) {
  const { family, families, parent } = index;
  if (!family || !families || !parent) return [];
  /** @type {Map<number, number[]>} */
  const members = new Map();
  family.forEach((number, row) => {
    if (!families[number]) return;
    const known = members.get(number);
    if (known) known.push(row);
    else members.set(number, [row]);
  });
  return [...members]
    .filter(([, rows]) => rows.length > 1)
    .map(([number, rows]) => [families[number], below(rows, parent)]);
}

/** @param {number[]} rows @param {number[]} parent @returns {Branch[]} */
function below(rows, parent) {
  const branches = new Map(rows.map((row) => [row, /** @type {Branch} */ ({ row, below: [] })]));
  const roots = [];
  for (const [row, made] of branches) {
    const above = branches.get(parent[row]);
    if (above && !leadsTo(parent, parent[row], row)) above.below.push(made);
    else roots.push(made);
  }
  return roots;
}

/** Whether going up from a row comes to another. @param {number[]} parent @param {number} row @param {number} goal */
function leadsTo(parent, row, goal) {
  for (let at = row, steps = 0; at >= 0 && steps < parent.length; at = parent[at], steps += 1) {
    if (at === goal) return true;
  }
  return false;
}

/** @param {Branch[]} branches @param {Snapshot} snapshot @returns {Node} */
function branch(branches, snapshot) {
  const { index } = snapshot;
  return h(
    "ul",
    {},
    branches.map(({ row, below: children }) =>
      h(
        "li",
        {},
        h("a", { href: `#${encodeURIComponent(index.id[row])}` }, index.name[row]),
        children.length ? branch(children, snapshot) : "",
      ),
    ),
  );
}
