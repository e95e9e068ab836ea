// @ts-check
/** Search as you type over the index that stands beside this file. */
(() => {
  const MOST = 200;
  /** @type {{ rows: [string, string, string, string, string][] }} */
  const index = /** @type {any} */ (globalThis).EXPERIENCE_SEARCH;
  const texts = index.rows.map((row) => fold(row.slice(0, 2).concat(row[4]).join("\n")));
  const input = /** @type {HTMLInputElement} */ (document.getElementById("words"));
  const hits = /** @type {HTMLElement} */ (document.getElementById("hits"));
  const found = /** @type {HTMLElement} */ (document.getElementById("found"));

  /** @param {string} text */
  function fold(text) {
    return text.normalize("NFKC").toLowerCase();
  }

  function show() {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    const rows = words.length
      ? index.rows.filter((_, at) => words.every((word) => texts[at].includes(word)))
      : [];
    hits.replaceChildren(...rows.slice(0, MOST).map(item));
    const text = rows.length ? found.dataset.found : found.dataset.nothing;
    found.textContent = words.length
      ? String(text).replace("{n}", rows.length.toLocaleString(document.documentElement.lang))
      : "";
  }

  /** @param {[string, string, string, string, string]} row */
  function item([name, about, kind, path]) {
    const made = document.createElement("li");
    const link = document.createElement("a");
    link.href = path.split("/").map(encodeURIComponent).join("/");
    link.textContent = name;
    made.append(link, part("kind", kind), part("about", about));
    return made;
  }

  /** @param {string} name @param {string} text */
  function part(name, text) {
    const made = document.createElement("span");
    made.className = name;
    made.textContent = text;
    return made;
  }

  input.form?.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    history.replaceState(null, "", `#${encodeURIComponent(input.value)}`);
    show();
  });
  input.value = decodeURIComponent(location.hash.slice(1));
  show();
  input.focus();
})();
