// @ts-check
import { h, styled } from "./dom.js";

/** As in the style sheet. */
const ROW_HEIGHT = 64;
/** Rows drawn beyond each edge, so that a quick scroll shows no gap. */
const SPARE_ROWS = 4;

/** What a key does to the place in the list; a page is what fits the view. */
const MOVES = /** @type {Record<string, (at: number, page: number, last: number) => number>} */ ({
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (at, page, last) => last,
});

/** A list of any length that keeps only the rows in view in the page. */
export class VirtualList {
  /** @type {ArrayLike<number>} */ #rows = [];
  /** @type {HTMLElement[]} */ #pool = [];
  #at = 0;
  #chosen = -1;
  #drawing = 0;

  /**
   * @param {string} label what a screen reader calls it
   * @param {(row: number) => Node[]} cells what a row shows
   * @param {(row: number, byKey: boolean) => void} open called when one is chosen
   */
  constructor(label, cells, open) {
    this.cells = cells;
    this.open = open;
    this.runway = h("div.runway", { role: "presentation" });
    this.element = h(
      "div.rows",
      {
        role: "listbox",
        tabindex: 0,
        "aria-label": label,
        scroll: () => this.#drawSoon(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
        click: (/** @type {MouseEvent} */ event) => this.#click(event),
      },
      this.runway,
    );
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /** Show these rows from the top. @param {ArrayLike<number>} rows */
  show(rows) {
    this.#rows = rows;
    this.#at = 0;
    this.element.scrollTop = 0;
    styled(this.element, "--rows", rows.length);
    this.#draw();
  }

  /** Mark the row that is open elsewhere and bring it into view. @param {number} row */
  choose(row) {
    this.#chosen = row;
    const at = Array.prototype.indexOf.call(this.#rows, row);
    if (at < 0) this.#draw();
    else {
      if (!this.#inView(at)) this.element.scrollTop = (at - 1) * ROW_HEIGHT;
      this.#moveTo(at);
    }
  }

  #page() {
    return Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT));
  }

  /** @param {number} at */
  #inView(at) {
    const { scrollTop, clientHeight } = this.element;
    return at * ROW_HEIGHT >= scrollTop && (at + 1) * ROW_HEIGHT <= scrollTop + clientHeight;
  }

  /** @param {number} at */
  #moveTo(at) {
    this.#at = Math.max(0, Math.min(at, this.#rows.length - 1));
    const top = this.#at * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) {
      this.element.scrollTop = top + ROW_HEIGHT - clientHeight;
    }
    this.#draw();
  }

  #drawSoon() {
    this.#drawing ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const last = Math.min(this.#rows.length, first + this.#page() + 2 * SPARE_ROWS + 1);
    while (this.#pool.length < last - first) this.#pool.push(h("div.row", { role: "option" }));
    const used = [];
    for (let at = first; at < last; at += 1) {
      // a place keeps its element while scrolling, so only new rows are filled
      used.push(this.#fill(this.#pool[at % this.#pool.length], at));
    }
    this.runway.replaceChildren(...used);
    this.#describe();
  }

  /** @param {HTMLElement} node @param {number} at */
  #fill(node, at) {
    const row = this.#rows[at];
    if (node.dataset.row !== String(row)) {
      node.dataset.row = String(row);
      node.replaceChildren(...this.cells(row));
    }
    node.id = `row-${row}`;
    node.setAttribute("aria-setsize", String(this.#rows.length));
    node.setAttribute("aria-posinset", String(at + 1));
    node.setAttribute("aria-selected", String(row === this.#chosen));
    node.classList.toggle("active", at === this.#at);
    return styled(node, "transform", `translateY(${at * ROW_HEIGHT}px)`);
  }

  #describe() {
    if (this.#rows.length) {
      this.element.setAttribute("aria-activedescendant", `row-${this.#rows[this.#at]}`);
    } else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#rows.length) return;
    const move = MOVES[event.key];
    if (move) this.#moveTo(move(this.#at, this.#page(), this.#rows.length - 1));
    else if (event.key === "Enter" || event.key === " ") this.open(this.#rows[this.#at], true);
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const node = /** @type {Element} */ (event.target).closest(".row");
    if (node instanceof HTMLElement) this.open(Number(node.dataset.row), false);
  }
}
