// @ts-check
/**
 * The columns of the index; numbers point into the lists of names.
 * @typedef {object} Index
 * @property {string[]} id
 * @property {string[]} name
 * @property {string[]} description
 * @property {number[]} kind
 * @property {number[]} category
 * @property {number[]} level
 * @property {number[]} score
 * @property {number[][]} tags
 * @property {string[]} updated
 * @property {string[]} words
 * @property {string[]} kinds
 * @property {string[]} categories
 * @property {string[]} levels
 * @property {string[]} tag_names
 * @property {number[]} [family] since 1.1
 * @property {number[]} [parent] row of the more general variant, or -1
 * @property {string[]} [families]
 */

/**
 * What the list is asked for; an empty text asks for everything.
 * @typedef {object} Query
 * @property {string} text
 * @property {string} kind
 * @property {string} category
 * @property {string} level
 * @property {string} tag
 * @property {string} sort
 */

/** @typedef {{ content: Record<string, any>, standing: Record<string, any>, versions: any[], backlinks: [string, string][], episodes: Record<string, any> }} Detail */

/**
 * Fetches a block that stands in a file of its own.
 * @typedef {(file: string) => Promise<string>} Loader
 */

/** @type {Query} */
export const EVERYTHING = { text: "", kind: "", category: "", level: "", tag: "", sort: "score" };

const MAJOR_VERSION = 1;

/** How far decoded blocks are kept: back and forth between neighbours is free. */
const BLOCKS_KEPT = 4;

/**
 * Read a block: base64 of raw deflate of JSON.
 * @param {string} block
 * @returns {Promise<any>}
 */
async function readBlock(block) {
  const stream = new Blob([bytesOf(block)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(base64) {
  // Support: Chrome 140, Firefox 133, Safari 18.2
  const fromBase64 = /** @type {any} */ (Uint8Array).fromBase64;
  if (fromBase64) return fromBase64.call(Uint8Array, base64);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Raised with the key of a text that says why a document cannot be read. */
export class SnapshotError extends Error {
  /** @param {string} key @param {Record<string, string>} values */
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** @param {any} data */
function checkVersion(data) {
  if (data?.format !== "snapshot" || !Array.isArray(data.version)) {
    throw new SnapshotError("notSnapshot");
  }
  if (data.version[0] > MAJOR_VERSION) {
    throw new SnapshotError("newer", { version: data.version.join(".") });
  }
}

/** An opened document: its index at hand, its details on request. */
export class Snapshot {
  /** @type {Map<number, any>} */ #decoded = new Map();
  /** @type {Map<string, number> | null} */ #rowOfId = null;
  /** @type {Map<string, Uint32Array>} */ #orders = new Map();
  /** @type {string[] | null} */ #haystacks = null;

  /** @param {any} data @param {Index} index @param {Loader} load */
  constructor(data, index, load) {
    this.data = data;
    this.index = index;
    this.load = load;
    this.size = index.id.length;
  }

  /**
   * @param {any} data document as the program wrote it
   * @param {Loader} load
   */
  static async open(data, load) {
    checkVersion(data);
    return new Snapshot(data, await readBlock(data.index), load);
  }

  /** The row of an id, -1 for an unknown one. @param {string} id */
  rowOf(id) {
    this.#rowOfId ??= new Map(this.index.id.map((name, row) => [name, row]));
    return this.#rowOfId.get(id) ?? -1;
  }

  /** Everything about one row. @param {number} row @returns {Promise<Detail>} */
  async detail(row) {
    const number = blockOf(this.data.starts, row);
    const block = this.#decoded.get(number) ?? (await this.#block(number));
    this.#decoded.delete(number);
    this.#decoded.set(number, block);
    if (this.#decoded.size > BLOCKS_KEPT) {
      this.#decoded.delete(/** @type {number} */ (this.#decoded.keys().next().value));
    }
    return { ...block.rows[row - this.data.starts[number]], episodes: block.episodes };
  }

  /** @param {number} number */
  async #block(number) {
    const block = this.data.blocks[number];
    return readBlock(typeof block === "string" ? block : await this.load(block.file));
  }

  /** The rows that a query asks for, in its order. @param {Query} query */
  select(query) {
    const tests = this.#tests(query);
    const order = this.#order(query.sort);
    return tests.length ? order.filter((row) => tests.every((test) => test(row))) : order;
  }

  /** @param {Query} query @returns {((row: number) => boolean)[]} */
  #tests({ text, kind, category, level, tag }) {
    const { index } = this;
    const tests = [];
    if (kind) tests.push(holds(index.kind, index.kinds.indexOf(kind)));
    if (category) tests.push(holds(index.category, index.categories.indexOf(category)));
    if (level) tests.push(holds(index.level, index.levels.indexOf(level)));
    if (tag) {
      const number = index.tag_names.indexOf(tag);
      tests.push((/** @type {number} */ row) => index.tags[row].includes(number));
    }
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) {
      const texts = (this.#haystacks ??= haystacks(index));
      tests.push((/** @type {number} */ row) => words.every((word) => texts[row].includes(word)));
    }
    return tests;
  }

  /** @param {string} sort */
  #order(sort) {
    let order = this.#orders.get(sort);
    if (!order) {
      order = Uint32Array.from(this.index.id.keys()).sort(comparison(this.index, sort));
      this.#orders.set(sort, order);
    }
    return order;
  }
}

/** @param {number[]} column @param {number} value */
function holds(column, value) {
  return (/** @type {number} */ row) => column[row] === value;
}

/**
 * The text that each row is searched in, lower case.
 * @param {Index} index
 */
export function haystacks(index) {
  return index.name.map((name, row) => {
    const tags = index.tags[row].map((tag) => index.tag_names[tag]).join(" ");
    const more = `${index.description[row]}\n${index.words[row]}\n${index.id[row]}`;
    return `${name}\n${tags}\n${more}`.toLowerCase();
  });
}

/**
 * How two rows compare; of equal ones the later arrival comes first.
 * @param {Index} index @param {string} sort
 * @returns {(a: number, b: number) => number}
 */
export function comparison(index, sort) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const { name, kind, kinds, score, updated } = index;
  /** @type {Record<string, (a: number, b: number) => number>} */
  const comparisons = {
    score: (a, b) => score[b] - score[a] || b - a,
    updated: (a, b) => (updated[a] < updated[b] ? 1 : updated[a] > updated[b] ? -1 : b - a),
    name: (a, b) => compare(name[a], name[b]) || b - a,
    kind: (a, b) => compare(kinds[kind[a]], kinds[kind[b]]) || score[b] - score[a] || b - a,
  };
  return comparisons[sort] ?? comparisons.score;
}

/**
 * The block that holds a row: the last that starts at or before it.
 * @param {number[]} starts @param {number} row
 */
export function blockOf(starts, row) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Names with their counts, most frequent first, the empty name left out.
 * @param {number[] | number[][]} column @param {string[]} names
 * @returns {[string, number][]}
 */
export function counted(column, names) {
  const counts = new Uint32Array(names.length);
  for (const value of column) {
    if (typeof value === "number") counts[value] += 1;
    else for (const number of value) counts[number] += 1;
  }
  return names
    .map((name, number) => /** @type {[string, number]} */ ([name, counts[number]]))
    .filter(([name]) => name)
    .sort((a, b) => b[1] - a[1]);
}
