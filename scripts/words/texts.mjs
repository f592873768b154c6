// The texts for people in a source file: prose, comments, messages and titles.
import { parseSync } from "oxc-parser";

/** Replaces code by spaces, so that offsets stay. */
const blank = (text, pattern) => text.replace(pattern, (code) => code.replace(/[^\n]/g, " "));

/** Returns Markdown without code, links' targets and HTML. */
export const proseOf = (markdown) =>
  [/^(```|~~~)[\s\S]*?^\1[^\n]*$/gm, /`[^`\n]*`/g, /\]\([^)\s]*\)/g, /<[^>\n]+>/g, /https?:\/\/\S+/g].reduce(
    blank,
    markdown,
  );

/** Returns a comment without code, as Markdown and TSDoc mark it. */
const commentProse = (text) =>
  [/```[\s\S]*?```/g, /`[^`]*`/g, /\{@link [^}]*\}/g, /@example[^@]*/g, /https?:\/\/\S+/g].reduce(
    blank,
    text,
  );

/** Comments by the files that have them. */
const COMMENTS = [
  [/\.proto$/, /\/\/(?<comment>.*)$/gm],
  [/\.css$/, /\/\*(?<comment>[\s\S]*?)\*\//g],
  [/\.sql$/, /--(?<comment>.*)$/gm],
  // Lines only: within a line, # may be a part of the code.
  [/\.(?:py|sh|ya?ml)$|(?:^|\/)(?:Dockerfile|waybill|up)$/, /^[ \t]*#(?!!)(?<comment>.*)$/gm],
];

/** Returns true if {@link commentsOf} knows the comments of a file. */
export const hasKnownComments = (path) => COMMENTS.some(([name]) => name.test(path));

/** Returns the comments of a file in the contract, in CSS, in SQL, or with lines that start with `#`. */
export function commentsOf(path, source) {
  const [, pattern] = COMMENTS.find(([name]) => name.test(path));
  return [...source.matchAll(pattern)].map(({ 0: whole, groups: { comment }, index }) => ({
    kind: "comments",
    text: commentProse(comment),
    start: index + whole.indexOf(comment),
  }));
}

const TITLED = /^(?:test|it|describe)$/;

/** Returns true if a call is `test(…)`, `it.each(…)(…)` and the like. */
function isTitled(callee) {
  for (let node = callee; node != null; ) {
    if (node.type === "Identifier") return TITLED.test(node.name);
    if (node.type === "MemberExpression") node = node.object;
    else if (node.type === "CallExpression") node = node.callee;
    else if (node.type === "TaggedTemplateExpression") node = node.tag;
    else return false;
  }
  return false;
}

/** A sentence or a part of one, not a name, a path or a statement of SQL. */
const isForPeople = (text) =>
  /\p{L}+ \p{Ll}+/u.test(text) &&
  !/^\s*(?:SELECT|INSERT|CREATE|WITH|DELETE|UPDATE|ALTER|DROP|BEGIN)\b/.test(text);

/**
 * Returns the texts for people in a TypeScript or JavaScript file.
 *
 * @returns each with its kind (`comments`, `messages` or `titles`), and the offset at which it starts.
 */
export function scriptTexts(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const texts = comments.map(({ value, start }) => ({
    kind: "comments",
    text: commentProse(value),
    start: start + 2,
  }));
  const add = (kind, text, start) => isForPeople(text) && texts.push({ kind, text, start });
  const visit = (node, kind) => {
    if (Array.isArray(node)) for (const item of node) visit(item, kind);
    if (typeof node?.type !== "string") return;
    if (/^(?:Import|Export(?:All|Named))/.test(node.type) && node.source != null) return;
    if (node.type === "Literal" && typeof node.value === "string") add(kind, node.value, node.start + 1);
    else if (node.type === "JSXText") add(kind, node.value, node.start);
    else if (node.type === "TemplateElement") add(kind, node.value.cooked ?? node.value.raw, node.start);
    else if (node.type === "CallExpression" && isTitled(node.callee)) {
      visit(node.callee, kind);
      visit(node.arguments[0], "titles");
      visit(node.arguments.slice(1), kind);
    } else for (const [key, value] of Object.entries(node)) if (key !== "type") visit(value, kind);
  };
  visit(program.body, "messages");
  return texts;
}
