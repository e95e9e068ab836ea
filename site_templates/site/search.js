// @ts-check
/** Search as you type over the snapshot that stands beside this file. */
(async () => {
  const MOST = 200;
  const input = /** @type {HTMLInputElement} */ (document.getElementById("words"));
  const hits = /** @type {HTMLElement} */ (document.getElementById("hits"));
  const found = /** @type {HTMLElement} */ (document.getElementById("found"));
  const kinds = JSON.parse(String(hits.dataset.kinds));
  input.form?.addEventListener("submit", (event) => event.preventDefault());
  input.value ||= decodeURIComponent(location.hash.slice(1));
  input.focus(); // before the index is open: nobody waits to type
  const index = await opened(/** @type {any} */ (globalThis).EXPERIENCE_SNAPSHOT.index);
  /** @type {string[]} */
  const texts = index.name.map((/** @type {string} */ name, /** @type {number} */ row) => {
    const tags = index.tags[row].map((/** @type {number} */ tag) => index.tag_names[tag]);
    return fold([name, index.description[row], ...tags, index.words[row]].join("\n"));
  });

  /** @param {string} block base64 of raw deflate of JSON */
  async function opened(block) {
    const bytes = Uint8Array.from(atob(block), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream();
    return new Response(stream.pipeThrough(new DecompressionStream("deflate-raw"))).json();
  }

  /** @param {string} text */
  function fold(text) {
    return text.normalize("NFKC").toLowerCase();
  }

  function show() {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    const shown = words.length ? matching(words) : [];
    hits.replaceChildren(...shown.slice(0, MOST).map(item));
    const text = shown.length ? found.dataset.found : found.dataset.nothing;
    found.textContent = words.length
      ? String(text).replace("{n}", shown.length.toLocaleString(document.documentElement.lang))
      : "";
  }

  /** Rows with all words: those that are called so first, then the last changed. @param {string[]} words */
  function matching(words) {
    const named = (/** @type {number} */ row) => words.every((word) => fold(index.name[row]).includes(word));
    return [...texts.keys()]
      .filter((row) => words.every((word) => texts[row].includes(word)))
      .map((row) => ({ row, named: named(row), updated: index.updated[row] }))
      .sort((a, b) => Number(b.named) - Number(a.named) || (a.updated < b.updated ? 1 : -1))
      .map(({ row }) => row);
  }

  /** @param {number} row */
  function item(row) {
    const made = document.createElement("li");
    const link = document.createElement("a");
    const kind = index.kinds[index.kind[row]];
    link.href = `experiences/${encodeURIComponent(index.stem[row])}.html`;
    link.textContent = index.name[row];
    made.append(link, part("kind", kinds[kind] ?? kind), part("about", index.description[row]));
    return made;
  }

  /** @param {string} name @param {string} text */
  function part(name, text) {
    const made = document.createElement("span");
    made.className = name;
    made.textContent = text;
    return made;
  }

  input.addEventListener("input", () => {
    history.replaceState(null, "", `#${encodeURIComponent(input.value)}`);
    show();
  });
  show();
})();
