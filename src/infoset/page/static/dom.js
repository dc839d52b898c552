/**
 * Elements from data. Texts become text nodes and attributes are set one by one, so that a label
 * can never become markup; styles are set through the object model, as the content policy demands.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `attributes` may hold `class`, `style` (an object; custom properties too), `dataset`
 * (an object), listeners as `onclick`, and any attribute; null, undefined and false leave one out.
 * Children are elements, texts, numbers, lists of these, or null.
 */
export function el(tag, attributes = {}, ...children) {
  return built(document.createElement(tag), attributes, children);
}

/** The same for elements of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return built(document.createElementNS(SVG, tag), attributes, children);
}

/** Replace all children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** A label from a game: isolated in direction, shortened by style, complete in its title. */
export function label(words, attributes = {}, tag = "span") {
  const given = String(words ?? "");
  const shown = given.length > 400 ? `${given.slice(0, 400)}…` : given;
  const title = given.length > 24 ? given.slice(0, 1000) : null;
  return el(
    tag,
    { dir: "auto", title, ...attributes, class: `label ${attributes.class ?? ""}`.trim() },
    shown,
  );
}

function built(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...nodes(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "style") {
    for (const [property, one] of Object.entries(value)) element.style.setProperty(property, one);
  } else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : document.createTextNode(String(one))));
}

/** Call `action` once nothing has happened for a while; `.now()` does not wait. */
export function debounced(action, milliseconds) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
  later.now = (...given) => {
    clearTimeout(timer);
    action(...given);
  };
  return later;
}
