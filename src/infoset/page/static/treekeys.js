/** The keys of a tree, as the ARIA practices describe them. */

const SPELLED = 800; // milliseconds between the letters of what is looked for

/** Answer a key that was pressed in the tree. */
export function moveInTree(tree, event) {
  const li = event.target.closest("[role=treeitem]");
  if (!li || event.altKey || event.ctrlKey || event.metaKey) return;
  const action = KEYS[event.key] ?? (event.key.length === 1 && event.key !== " " ? spell : null);
  if (!action) return;
  event.preventDefault();
  action(tree, li, event.key);
}

const KEYS = {
  ArrowDown: (tree, li) => go(tree, following(li)),
  ArrowUp: (tree, li) => go(tree, preceding(tree, li)),
  ArrowRight: into,
  ArrowLeft: out,
  Home: (tree) => go(tree, tree.list.firstElementChild),
  End: (tree) => go(tree, last(tree.list.lastElementChild)),
  Enter: (tree, li) => tree.choose(li),
  " ": (tree, li) => tree.choose(li),
  PageDown: (tree, li) => tree.step(li, 1),
  PageUp: (tree, li) => tree.step(li, -1),
  "*": (tree, li) =>
    [...li.parentElement.children].forEach((one) => tree.itemOf(one) && tree.open(tree.itemOf(one))),
};

function go(tree, li) {
  if (li) tree.focus(li);
}

function into(tree, li) {
  const item = tree.itemOf(li);
  if (!item?.group) return;
  if (item.open) go(tree, item.group.firstElementChild);
  else tree.open(item);
}

function out(tree, li) {
  const item = tree.itemOf(li);
  if (item?.open) tree.close(item);
  else go(tree, li.parentElement.closest("[role=treeitem]"));
}

function group(li) {
  const found = li.querySelector(":scope > [role=group]");
  return found && !found.hidden && found.firstElementChild ? found : null;
}

/** The next row that is shown. */
function following(li) {
  if (group(li)) return group(li).firstElementChild;
  for (let at = li; at; at = at.parentElement.closest("[role=treeitem]")) {
    if (at.nextElementSibling) return at.nextElementSibling;
  }
  return null;
}

function preceding(tree, li) {
  if (li.previousElementSibling) return last(li.previousElementSibling);
  return li.parentElement.closest("[role=treeitem]");
}

function last(li) {
  while (li && group(li)) li = group(li).lastElementChild;
  return li;
}

const typed = { words: "", since: 0 };

/** Go to the next row whose move begins with what is typed. */
function spell(tree, li, key) {
  const now = performance.now();
  typed.words = (now - typed.since < SPELLED ? typed.words : "") + key.toLowerCase();
  typed.since = now;
  const fits = (one) => one.getAttribute("aria-label")?.toLowerCase().startsWith(typed.words);
  let at = typed.words.length > 1 ? li : (following(li) ?? tree.list.firstElementChild);
  for (let steps = 0; steps < 5000 && at; steps += 1) {
    if (fits(at)) return go(tree, at);
    at = following(at) ?? tree.list.firstElementChild;
    if (at === li && fits(at)) return undefined;
    if (at === li) return undefined;
  }
  return undefined;
}
