// @ts-check
/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Make an element. Text only ever becomes a text node.
 * @param {string} tag name, with classes after dots: `span.tag`
 * @param {Record<string, unknown>} attributes functions become listeners
 * @param {(Child | Child[])[]} children empty ones are left out
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) attach(node, key, value);
  node.append(.../** @type {(Node | string)[]} */ (children.flat().filter(Boolean)));
  return node;
}

/**
 * Make a part of a drawing.
 * @param {string} tag @param {Record<string, string | number>} attributes
 * @param {(Element | string)[]} children
 */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** @param {HTMLElement} node @param {string} key @param {unknown} value */
function attach(node, key, value) {
  if (typeof value === "function") {
    node.addEventListener(key, /** @type {EventListener} */ (value));
  } else if (value !== false && value !== null && value !== undefined) {
    node.setAttribute(key, value === true ? "" : String(value));
  }
}

/**
 * Give an element a number that the style sheet works with.
 * @param {HTMLElement} node @param {string} name @param {string | number} value
 */
export function styled(node, name, value) {
  node.style.setProperty(name, String(value));
  return node;
}

/**
 * Any JSON value as one readable text.
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * A list, whatever a document has in its place.
 * @param {unknown} value
 * @returns {any[]}
 */
export function listOf(value) {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined || value === "" ? [] : [value];
}

/**
 * An object, whatever a document has in its place.
 * @param {unknown} value
 * @returns {Record<string, any>}
 */
export function objectOf(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/**
 * A link for a web address, plain text for everything else (`javascript:`, files).
 * @param {unknown} value
 */
export function address(value) {
  const text = textOf(value);
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return h("span.address", {}, text);
  return h("a.address", { href: text, rel: "noopener noreferrer", target: "_blank" }, text);
}
