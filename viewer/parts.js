// @ts-check
import { h, listOf, textOf } from "./dom.js";
import { inline } from "./prose.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./strings.js").Words} Words */

/** Items shown of one list before the rest is folded away; keeps the page small. */
const ITEMS = 10;
/** Steps are what one came for. */
const STEPS = 20;

/** @param {unknown} text @param {string} name */
export function paragraph(text, name = "text") {
  return h(`p.${name}`, {}, ...inline(textOf(text)));
}

/**
 * The first of some items, and the others folded away behind their number.
 * @param {unknown} values @param {Words} words
 * @param {(items: any[], from: number) => Node} wrap makes one node of some of them
 * @returns {Node[]}
 */
export function shortened(values, words, wrap, limit = ITEMS) {
  const all = listOf(values);
  if (!all.length) return [];
  const rest = all.slice(limit);
  const more = () => wrap(rest, limit + 1);
  const first = wrap(all.slice(0, limit), 1);
  return rest.length ? [first, folded(words.say("more", { n: rest.length }), more)] : [first];
}

/** @param {unknown} values @param {Words} words @param {(item: any, words: Words) => Child} make */
export function several(values, words, make, limit = ITEMS) {
  const wrap = (/** @type {any[]} */ items) =>
    h(
      "div",
      {},
      items.map((item) => make(item, words)),
    );
  return shortened(values, words, wrap, limit);
}

/** @param {unknown} values @param {Words} words @param {(item: any) => Child} make */
export function bullets(values, words, make = textOf) {
  const wrap = (/** @type {any[]} */ items) =>
    h(
      "ul",
      {},
      items.map((item) => h("li", {}, make(item))),
    );
  return shortened(values, words, wrap);
}

/** @param {unknown} values @param {Words} words @param {(item: any, words: Words) => Child[]} make */
export function sequence(values, words, make) {
  const wrap = (/** @type {any[]} */ items, /** @type {number} */ start) =>
    h(
      "ol",
      { start },
      items.map((item) => h("li", {}, ...make(item, words))),
    );
  return shortened(values, words, wrap, STEPS);
}

/** @param {unknown} values @param {Words} words */
export function chips(values, words) {
  const wrap = (/** @type {any[]} */ items) =>
    h(
      "p.tags",
      {},
      items.map((item) => h("span.tag", {}, textOf(item))),
    );
  return shortened(values, words, wrap);
}

/**
 * Something long that is only made when it is asked for.
 * @param {string} title @param {() => Node} make
 */
export function folded(title, make) {
  const node = /** @type {HTMLDetailsElement} */ (
    h(
      "details",
      { toggle: () => node.open && node.childElementCount === 1 && node.append(make()) },
      h("summary", {}, title),
    )
  );
  return node;
}

/**
 * Two texts as one, with what went and what came marked in the words.
 * @param {string} before @param {string} after
 * @returns {Child[]}
 */
export function marked(before, after) {
  const [old, now] = [before, after].map(
    (text) => text.match(/[\u3040-\u9fff]|[^\s\u3040-\u9fff]+|\s+/g) ?? [],
  );
  const short = Math.min(old.length, now.length);
  let head = 0;
  while (head < short && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < short - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const gone = old.slice(head, old.length - tail).join("");
  const come = now.slice(head, now.length - tail).join("");
  const same = (/** @type {string[]} */ words) => words.join("");
  return [
    same(now.slice(0, head)),
    gone && h("del", {}, gone),
    come && h("ins", {}, come),
    same(now.slice(now.length - tail)),
  ];
}
