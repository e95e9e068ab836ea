// @ts-check
import { h } from "./dom.js";

/** @typedef {{ lines: string[], at: number }} Source */
/** @typedef {[RegExp, (source: Source, match: RegExpMatchArray) => Node]} BlockRule */

/** What a line may open, in the order in which it is tried. @type {BlockRule[]} */
const BLOCKS = [
  [/^\s*(```|~~~)/, fence],
  [/^(#{1,6})\s+(.*)/, heading],
  [/^\s*[-*+]\s+/, (source) => items(source, "ul", /^\s*[-*+]\s+(.*)/)],
  [/^\s*\d+[.)]\s+/, (source) => items(source, "ol", /^\s*\d+[.)]\s+(.*)/)],
];

/**
 * The part of Markdown that notes use, as nodes: headings, lists, code, bold.
 * Everything else stays the text it is.
 * @param {string} text
 */
export function prose(text) {
  const source = { lines: text.split(/\r?\n/), at: 0 };
  const found = h("div.prose");
  while (source.at < source.lines.length) {
    if (source.lines[source.at].trim()) found.append(block(source));
    else source.at += 1;
  }
  return found;
}

/** @param {Source} source */
function block(source) {
  const line = source.lines[source.at];
  for (const [pattern, make] of BLOCKS) {
    const match = line.match(pattern);
    if (match) return make(source, match);
  }
  return paragraph(source);
}

/** @param {Source} source @param {RegExpMatchArray} match */
function fence(source, [, mark]) {
  const from = source.at + 1;
  let to = from;
  while (to < source.lines.length && !source.lines[to].trim().startsWith(mark)) to += 1;
  source.at = to + 1;
  return h("pre", { tabindex: 0 }, source.lines.slice(from, to).join("\n"));
}

/** @param {Source} source @param {RegExpMatchArray} match */
function heading(source, [, , text]) {
  source.at += 1;
  return h("h4", {}, ...inline(text));
}

/** @param {Source} source @param {string} tag @param {RegExp} pattern */
function items(source, tag, pattern) {
  const found = h(tag);
  for (let match; (match = source.lines[source.at]?.match(pattern)); source.at += 1) {
    found.append(h("li", {}, ...inline(match[1])));
  }
  return found;
}

/** @param {Source} source */
function paragraph(source) {
  const from = source.at;
  do source.at += 1;
  while (source.lines[source.at]?.trim() && !opensBlock(source.lines[source.at]));
  return h("p", {}, ...inline(source.lines.slice(from, source.at).join("\n")));
}

/** @param {string} line */
function opensBlock(line) {
  return BLOCKS.some(([pattern]) => pattern.test(line));
}

/**
 * Code spans and bold; the marks go, the text stays.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function inline(text) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part) => {
    if (/^`[^`]+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    return /^\*\*[^*]+\*\*$/.test(part) ? h("strong", {}, part.slice(2, -2)) : part;
  });
}
