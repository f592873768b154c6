// Checks the style modules of the console: each is beside a component of the same name that uses all of its classes
// and no others. Sizes and weights of text and spaces within and between elements are on the scale of `ui/design`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../console/src", import.meta.url));
const files = readdirSync(root, { recursive: true });
const modules = files.filter((path) => path.endsWith(".module.css"));

const textOf = (path) => readFileSync(join(root, path), "utf8");
const namesIn = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
/** Every class that a module composes of another: `composes: column from "./column.module.css"`. */
const composed = modules.flatMap((path) => [...textOf(path).matchAll(/composes: (\w+) from "\.\/([^"]+)"/g)]);

const problems = [];
for (const path of modules) {
  const rules = textOf(path).replace(/\/\*.*?\*\/|"[^"]*"/gs, "");
  const defined = namesIn(rules, /\.([a-zA-Z][\w-]*)/g);
  const component = path.replace(".module.css", ".tsx");
  const fileName = path.split(/[\\/]/).at(-1);
  const used = new Set(composed.filter(([, , of]) => of === fileName).map(([, name]) => name));
  if (existsSync(join(root, component))) {
    const text = textOf(component);
    const isByName = /styles\[/.test(text);
    for (const name of isByName ? defined : namesIn(text, /\bstyles\.(\w+)/g)) used.add(name);
  } else if (used.size === 0) {
    problems.push(`${path}: there is no ${component}`);
  }
  for (const name of defined) if (!used.has(name)) problems.push(`${path}: nothing uses .${name}`);
  for (const name of used) if (!defined.has(name)) problems.push(`${path}: there is no .${name}`);
}
for (const path of files.filter((file) => file.endsWith(".css") && !file.endsWith(".module.css"))) {
  if (!/^ui.design./.test(path)) problems.push(`${path}: style beside a component is a module`);
}
/** A length or weight of its own. Zero and lines of one pixel need no step of the scale. */
const OFF_SCALE =
  /^\s*((?:font-size|font-weight|(?:row-|column-)?gap|padding[\w-]*):.*?\b(?!0\b)[\d.]+(?:px|r?em|;).*)$/gm;
for (const path of modules) {
  for (const [, rule] of textOf(path).matchAll(OFF_SCALE))
    problems.push(`${path}: not on the scale: ${rule}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
