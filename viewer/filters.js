// @ts-check
import { h } from "./dom.js";
import { counted } from "./snapshot.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./snapshot.js").Query} Query */
/** @typedef {import("./strings.js").Words} Words */

/** Most frequent names in one choice; each is a node, rarer ones are found by search. */
const CHOICES = 40;

const SORTS = { score: "byScore", updated: "byUpdate", name: "byName", kind: "byKind" };

/** Search field and choices above the list; they show a query and change it. */
export class Filters {
  /** @type {Record<string, HTMLSelectElement>} */ #choices;

  /**
   * @param {Snapshot} snapshot @param {Words} words
   * @param {(change: Partial<Query>) => void} change
   * @param {() => void} leave called when the keyboard goes on to the list
   */
  constructor({ index }, words, change, leave) {
    const choice = (
      /** @type {keyof Query} */ name,
      /** @type {string} */ all,
      /** @type {[string, number][]} */ counts,
    ) =>
      select(words.say(`${name}Label`), change, name, [
        ["", words.say(all)],
        ...counts
          .slice(0, CHOICES)
          .map(([value, n]) => [value, `${words.value(name, value)} (${words.number(n)})`]),
      ]);
    this.search = searchField(words, change, leave);
    this.#choices = {
      kind: choice("kind", "allKinds", counted(index.kind, index.kinds)),
      category: choice("category", "allCategories", counted(index.category, index.categories)),
      level: choice("level", "allLevels", counted(index.level, index.levels)),
      tag: choice("tag", "allTags", counted(index.tags, index.tag_names)),
      sort: select(
        words.say("sortLabel"),
        change,
        "sort",
        Object.entries(SORTS).map(([value, key]) => [value, words.say(key)]),
      ),
    };
    this.element = h(
      "div.filters",
      { role: "search" },
      this.search,
      ...Object.values(this.#choices),
    );
  }

  /** Show a query that something else has set. @param {Query} query */
  show(query) {
    this.search.value = query.text;
    for (const [name, node] of Object.entries(this.#choices)) {
      const value = query[/** @type {keyof Query} */ (name)];
      if (![...node.options].some((option) => option.value === value)) {
        node.append(h("option", { value }, value));
      }
      node.value = value;
      node.classList.toggle("set", name !== "sort" && value !== "");
    }
  }
}

/** @param {Words} words @param {(change: Partial<Query>) => void} change @param {() => void} leave */
function searchField(words, change, leave) {
  const field = /** @type {HTMLInputElement} */ (
    h("input.search", {
      type: "search",
      placeholder: words.say("search"),
      title: words.say("shortcut"),
      "aria-label": words.say("searchLabel"),
      autocomplete: "off",
      spellcheck: "false",
      input: () => change({ text: field.value }),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.isComposing || !["ArrowDown", "Enter"].includes(event.key)) return;
        event.preventDefault();
        leave();
      },
    })
  );
  return field;
}

/**
 * @param {string} label @param {(change: Partial<Query>) => void} change
 * @param {string} name @param {string[][]} options value and text
 */
function select(label, change, name, options) {
  const node = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { "aria-label": label, change: () => change({ [name]: node.value }) },
      options.map(([value, text]) => h("option", { value }, text)),
    )
  );
  return node;
}
