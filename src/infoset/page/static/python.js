/** Python in pieces for colouring: texts, comments, words of the language, numbers, decorators. */

const KEYWORDS = new Set(
  (
    "and as assert async await break case class continue def del elif else except False finally for from global if" +
    " import in is lambda match None nonlocal not or pass raise return True try while with yield"
  ).split(" "),
);
const TOKEN = new RegExp(
  [
    "(?<text>[rbfuRBFU]{0,2}(?:\"\"\"[^]*?(?:\"\"\"|$)|'''[^]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
    "(?<comment>#[^\\n]*)",
    "(?<decorator>(?<=^|\\n)[ \\t]*@[\\w.]+)",
    "(?<number>\\b\\d[\\w.]*)",
    "(?<word>[A-Za-z_]\\w*)",
  ].join("|"),
  "g",
);

/** For each line its pieces `[kind, text]`; the kind is "" where there is nothing to colour. */
export function pieces(lines) {
  const source = lines.join("\n");
  const found = [[]];
  let at = 0;
  for (const token of source.matchAll(TOKEN)) {
    add(found, "", source.slice(at, token.index));
    add(found, kindOf(token.groups), token[0]);
    at = token.index + token[0].length;
  }
  add(found, "", source.slice(at));
  return found;
}

function kindOf(groups) {
  if (groups.word !== undefined) return KEYWORDS.has(groups.word) ? "code-keyword" : "";
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  return `code-${kind}`;
}

function add(found, kind, words) {
  words.split("\n").forEach((line, at) => {
    if (at) found.push([]);
    const last = found.at(-1).at(-1);
    if (line && last?.[0] === kind) last[1] += line;
    else if (line) found.at(-1).push([kind, line]);
  });
}
