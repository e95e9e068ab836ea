// @ts-check
/** Keeps the viewer in step with a running workspace, and shows what waits for a word. */
(() => {
  const PAUSE_MS = 2000;
  const KEPT = "experience-pack-code";

  const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const viewer = /** @type {any} */ (find("viewer"));
  const code = /** @type {HTMLInputElement} */ (find("code"));
  let stamp = "";
  let writable = false;

  /** @param {string} path @param {RequestInit} [more] */
  function ask(path, more = {}) {
    const authorisation = `Bearer ${sessionStorage.getItem(KEPT) ?? ""}`;
    return fetch(path, { ...more, headers: { ...more.headers, Authorization: authorisation } });
  }

  /** @param {string} file */
  async function load(file) {
    const answer = await ask(`/${file}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.text();
  }

  /** @param {boolean} wrong whether a code was tried */
  function enter(wrong) {
    sessionStorage.removeItem(KEPT);
    find("enter").hidden = false;
    find("wrong").hidden = !wrong;
    viewer.hidden = true;
    find("waiting").hidden = true;
    code.focus();
  }

  /** Show what is new; give whether to ask again. */
  async function renew() {
    const answer = await ask("/api/snapshot", { headers: { "If-None-Match": stamp } });
    if (answer.status === 401) {
      enter(sessionStorage.getItem(KEPT) !== null);
      return false;
    }
    if (answer.status === 200) {
      const first = stamp === "";
      stamp = answer.headers.get("ETag") ?? "";
      find("enter").hidden = true;
      viewer.hidden = false;
      await viewer[first ? "show" : "renew"](await answer.json(), load);
      await listWaiting();
    }
    return true;
  }

  async function follow() {
    try {
      const again = document.hidden || (await renew());
      find("lost").hidden = true;
      if (again) setTimeout(follow, PAUSE_MS);
    } catch {
      find("lost").hidden = false;
      setTimeout(follow, PAUSE_MS);
    }
  }

  async function listWaiting() {
    const { count, items, writable: may } = await (await ask("/api/review")).json();
    writable = may;
    const open = new Set([...find("items").querySelectorAll("details[open]")].map((each) => each.id));
    find("waiting").hidden = count === 0 || !writable;
    find("count").textContent = String(count);
    find("items").replaceChildren(...items.map(item));
    for (const each of find("items").querySelectorAll("details")) each.open = open.has(each.id);
  }

  /** @param {Record<string, any>} one */
  function item(one) {
    const template = /** @type {HTMLTemplateElement} */ (find("item"));
    const made = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (made.querySelector(name));
    part("details").id = `${one.id}-${one.digest}`;
    part(".name").textContent = one.name;
    part(".kind").textContent = one.kind;
    part(".twice").hidden = one.look_twice.length === 0;
    part(".twice span").textContent = one.look_twice.join("; ");
    part("pre").textContent = one.text;
    part("button").addEventListener("click", () => approve(one));
    return made;
  }

  /** @param {Record<string, any>} one */
  async function approve({ id, digest }) {
    const answer = await ask("/api/review", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id, digest }),
    });
    const done = find("done");
    const said = { 200: done.dataset.approved, 409: done.dataset.changed }[answer.status];
    done.textContent = said ?? (await answer.text());
    await renew();
  }

  find("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(KEPT, code.value.trim());
    code.value = "";
    follow();
  });
  if (sessionStorage.getItem(KEPT)) follow();
  else enter(false);
})();
