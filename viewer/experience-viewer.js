// @ts-check
/**
 * `<experience-viewer>`: a snapshot of experiences to search and to read.
 *
 * Three ways in, one way to show: a snapshot document in a child
 * `<script type="application/json">` (or in one whose id `data-source` names), its
 * address in `data-api`, or `ExperienceViewer.render(document, container)`.
 * What stands inside the element is read where there is no JavaScript.
 */
import { h, styled } from "./dom.js";
import { recipe } from "./detail.js";
import { Filters } from "./filters.js";
import { VirtualList } from "./list.js";
import { shortened } from "./parts.js";
import { EVERYTHING, Snapshot, SnapshotError } from "./snapshot.js";
import { languageOf, wordsFor } from "./strings.js";
import { activity } from "./activity.js";
import { more } from "./more.js";
import { header, summary } from "./summary.js";

/** @typedef {import("./snapshot.js").Query} Query */
/** @typedef {import("./snapshot.js").Loader} Loader */

/** A reader's pause: the count is spoken once the typing rests. */
const SPEAK_AFTER_MS = 400;

// lets the pure parts be imported where there is no document
const Base = globalThis.HTMLElement ?? class {};

export class ExperienceViewer extends Base {
  /** @type {Snapshot | null} */ #snapshot = null;
  /** @type {Query} */ #query = EVERYTHING;
  /** @type {Filters | undefined} */ #filters;
  /** @type {VirtualList | undefined} */ #list;
  #words = wordsFor("en");
  #open = -1;
  /** @type {HTMLElement | undefined} */ #count;
  /** @type {HTMLElement | undefined} */ #spoken;
  /** @type {HTMLElement | undefined} */ #nothing;
  /** @type {HTMLElement | undefined} */ #detail;
  /** @type {HTMLElement | undefined} */ #clear;
  #speaking = 0;
  #onHash = () => this.#follow();
  #onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);

  /** Make the tag known; a second call changes nothing. */
  static define(tag = "experience-viewer", registry = globalThis.customElements) {
    if (!registry.get(tag)) registry.define(tag, ExperienceViewer);
  }

  /**
   * Show a snapshot document in a container, in place of what it holds.
   * @param {any} data @param {Element} container
   * @param {Loader} [load] fetches blocks that are not in the document
   */
  static async render(data, container, load) {
    ExperienceViewer.define();
    const viewer = /** @type {ExperienceViewer} */ (document.createElement("experience-viewer"));
    container.replaceChildren(viewer);
    await viewer.show(data, load);
    return viewer;
  }

  connectedCallback() {
    addEventListener("hashchange", this.#onHash);
    document.addEventListener("keydown", this.#onKey);
    if (this.#snapshot) return;
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.#load(), { once: true });
    } else this.#load();
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#onHash);
    document.removeEventListener("keydown", this.#onKey);
  }

  async #load() {
    try {
      const data = await this.#source();
      if (data) await this.show(data);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** The document that the page gives, null for none. */
  async #source() {
    const { api, source } = this.dataset;
    if (api) return (await answered(api)).json();
    const node = source
      ? document.getElementById(source)
      : this.querySelector('script[type="application/json"]');
    return node && JSON.parse(node.textContent ?? "");
  }

  /** Show a snapshot document. @param {any} data @param {Loader} [load] */
  async show(data, load = fetched) {
    try {
      this.#snapshot = await Snapshot.open(data, load);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#query = EVERYTHING;
    this.#speak(languageOf(this.lang || data.language || navigator.language));
    this.#render();
    this.#follow();
  }

  /**
   * Show a newer state of the same document, the reader's place in it kept.
   * @param {any} data @param {Loader} [load]
   */
  async renew(data, load = fetched) {
    const place = this.#list?.element.scrollTop ?? 0;
    const search = this.#filters?.search;
    const typing = document.activeElement === search;
    const caret = search?.selectionStart ?? 0;
    this.#snapshot = await Snapshot.open(data, load);
    this.#render();
    this.#follow();
    if (this.#list) this.#list.element.scrollTop = place;
    if (!typing) return;
    this.#filters?.search.focus();
    this.#filters?.search.setSelectionRange(caret, caret);
  }

  /** @param {unknown} error */
  #refuse(error) {
    const words = wordsFor(
      languageOf(this.lang || document.documentElement.lang || navigator.language),
    );
    const reason =
      error instanceof SnapshotError ? words.say(error.key, error.values) : String(error);
    this.querySelector(":scope > .fault")?.remove();
    this.prepend(h("p.fault", { role: "alert" }, words.say("unreadable", { reason })));
  }

  /** @param {import("./strings.js").Language} language */
  #speak(language) {
    this.#words = wordsFor(language);
    this.lang = language === "zh" ? "zh-CN" : "en";
  }

  #render() {
    const snapshot = /** @type {Snapshot} */ (this.#snapshot);
    const words = this.#words;
    this.#filters = new Filters(
      snapshot,
      words,
      (change) => this.#ask(change),
      () => this.#list?.element.focus(),
    );
    this.#list = new VirtualList(
      words.say("list"),
      (row) => this.#cells(row),
      (row, byKey) => this.#choose(row, byKey),
    );
    this.#count = h("span", {});
    this.#spoken = h("p.unseen", { role: "status", "aria-live": "polite" });
    this.#nothing = h("p.nothing", { hidden: true });
    this.#detail = h("aside.card.detail", { tabindex: -1, "aria-label": words.say("detail") });
    const tally = h(
      "p.tally",
      {},
      this.#count,
      this.#clearButton(),
      h("span.keys", {}, words.say("keys")),
    );
    this.replaceChildren(
      header(snapshot, words, this.#controls()),
      summary(snapshot, words, (name, value) => this.#ask({ [name]: value })),
      ...[activity(snapshot, words)].filter((each) => each !== null),
      h(
        "div.work",
        { "data-empty": snapshot.size === 0 },
        h(
          "section.card.list",
          {},
          this.#filters.element,
          tally,
          this.#list.element,
          this.#nothing,
          this.#spoken,
        ),
        this.#detail,
      ),
      ...[more(snapshot, words)].filter((each) => each !== null),
    );
    this.#ask({});
    this.#showDetail(false);
  }

  #clearButton() {
    this.#clear = h(
      "button.quiet",
      {
        type: "button",
        hidden: true,
        click: () => this.#ask({ ...EVERYTHING, sort: this.#query.sort }),
      },
      this.#words.say("clear"),
    );
    return this.#clear;
  }

  #controls() {
    const words = this.#words;
    const theme = h(
      "button.theme",
      { type: "button", click: () => this.#changeTheme(theme) },
      this.#themeName(),
    );
    const language = h(
      "button.language",
      {
        type: "button",
        lang: words.language === "zh" ? "en" : "zh-CN",
        click: () => this.#changeLanguage(),
      },
      words.say("switchLanguage"),
    );
    return [theme, language];
  }

  get #isDark() {
    const chosen = this.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  #themeName() {
    return this.#words.say(this.#isDark ? "lightTheme" : "darkTheme");
  }

  /** @param {HTMLElement} button */
  #changeTheme(button) {
    this.dataset.theme = this.#isDark ? "light" : "dark";
    button.textContent = this.#themeName();
  }

  #changeLanguage() {
    this.#speak(this.#words.language === "zh" ? "en" : "zh");
    this.#render();
    /** @type {HTMLElement | null} */ (this.querySelector(".language"))?.focus();
  }

  /** Change the query and show what it finds. @param {Partial<Query>} change */
  #ask(change) {
    this.#query = { ...this.#query, ...change };
    const { text, kind, category, level, tag } = this.#query;
    const rows = /** @type {Snapshot} */ (this.#snapshot).select(this.#query);
    this.#filters?.show(this.#query);
    this.#list?.show(rows);
    if (this.#clear) this.#clear.hidden = !(text || kind || category || level || tag);
    this.#tell(rows.length);
  }

  /** @param {number} found */
  #tell(found) {
    const total = this.#snapshot?.size ?? 0;
    const count = this.#words.say("found", { n: found, total });
    if (this.#count) this.#count.textContent = count;
    if (this.#nothing) {
      this.#nothing.hidden = found > 0;
      this.#nothing.textContent = this.#words.say(total ? "nothingFound" : "nothingYet");
    }
    if (this.#list) this.#list.element.hidden = found === 0;
    clearTimeout(this.#speaking);
    this.#speaking = setTimeout(() => {
      if (this.#spoken) this.#spoken.textContent = count;
    }, SPEAK_AFTER_MS);
  }

  /** What a row of the list shows. @param {number} row */
  #cells(row) {
    const { index } = /** @type {Snapshot} */ (this.#snapshot);
    const level = index.levels[index.level[row]];
    const score = index.score[row];
    return [
      h("span.name", {}, index.name[row]),
      h("span.about", {}, index.description[row]),
      h("span.kind", {}, this.#words.value("kind", index.kinds[index.kind[row]])),
      h(
        "span.meter",
        { title: this.#words.value("level", level) },
        styled(h("span.track", { "data-value": `level-${level}` }, h("i")), "--share", score),
        score.toFixed(2),
      ),
    ];
  }

  /** Open the experience that the address names. */
  #follow() {
    const id = decoded(location.hash.slice(1));
    const row = id ? (this.#snapshot?.rowOf(id) ?? -1) : -1;
    this.#open = row;
    this.#list?.choose(row);
    this.#showDetail(false, row < 0 && id.startsWith("exp_") ? id : "");
  }

  /** @param {number} row @param {boolean} byKey */
  #choose(row, byKey) {
    const id = this.#snapshot?.index.id[row] ?? "";
    history.pushState(null, "", `#${encodeURIComponent(id)}`);
    this.#open = row;
    this.#list?.choose(row);
    this.#showDetail(byKey);
  }

  #closeDetail() {
    history.pushState(null, "", location.pathname + location.search);
    this.#follow();
    this.#list?.element.focus();
  }

  /** @param {boolean} focus @param {string} missing id that is not here */
  async #showDetail(focus, missing = "") {
    const pane = /** @type {HTMLElement} */ (this.#detail);
    const row = this.#open;
    pane.classList.toggle("empty", row < 0);
    if (row < 0) {
      pane.replaceChildren(
        h("p.quiet", {}, this.#words.say(missing ? "noSuch" : "chooseOne", { id: missing })),
      );
      return;
    }
    const parts = await this.#read(row);
    if (row !== this.#open || pane !== this.#detail) return;
    pane.replaceChildren(...parts);
    pane.scrollTop = 0;
    if (focus) pane.focus({ preventScroll: true });
    // beside the list it is in view already; under it, on a phone, it is not
    if (pane.getBoundingClientRect().top > innerHeight / 2) pane.scrollIntoView();
  }

  /** @param {number} row @returns {Promise<Node[]>} */
  async #read(row) {
    const snapshot = /** @type {Snapshot} */ (this.#snapshot);
    const words = this.#words;
    try {
      const detail = await snapshot.detail(row);
      return [...this.#title(row), ...recipe(detail, { snapshot, row, words })];
    } catch (error) {
      const reason = String(error);
      return [
        ...this.#title(row),
        h("p.fault", { role: "alert" }, words.say("unreadable", { reason })),
      ];
    }
  }

  /** @param {number} row */
  #title(row) {
    const { index } = /** @type {Snapshot} */ (this.#snapshot);
    const words = this.#words;
    const narrow = (/** @type {string[]} */ [name, value]) =>
      h(
        "button.tag",
        { type: "button", click: () => this.#ask({ [name]: value }) },
        words.value(name, value),
      );
    const labels = [
      ["kind", index.kinds[index.kind[row]]],
      ["category", index.categories[index.category[row]]],
      ...index.tags[row].map((tag) => ["tag", index.tag_names[tag]]),
    ].filter(([, value]) => value);
    return [
      h("button.close", { type: "button", click: () => this.#closeDetail() }, words.say("close")),
      h("h2", {}, index.name[row]),
      ...shortened(labels, words, (some) => h("p.tags", {}, some.map(narrow))),
    ];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = /** @type {Element} */ (event.target).matches?.("input, textarea, select");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      this.#filters?.search.focus();
    } else if (event.key === "Escape") this.#back();
  }

  /** One step back: out of the search, then out of the experience. */
  #back() {
    if (document.activeElement === this.#filters?.search) {
      this.#ask({ text: "" });
      this.#list?.element.focus();
    } else if (this.#open >= 0) this.#closeDetail();
  }
}

/** @type {Loader} */
async function fetched(file) {
  return (await answered(file)).text();
}

/** @param {string} address */
async function answered(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer;
}

/** An address part as text; one that is no valid encoding stays as it is. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

if (globalThis.customElements) ExperienceViewer.define();
