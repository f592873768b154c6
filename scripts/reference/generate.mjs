// Updates the parts of docs/reference that state facts of the code. `--check` writes nothing and exits with code 1 if a
// page is stale. It imports the built server: run `node scripts/build.mjs` first.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandHelp } from "./command-help.mjs";
import { configKeys } from "./config-keys.mjs";
import { limitForms } from "./limit-forms.mjs";
import { operations } from "./operations.mjs";
import { errorReasons, metricFamilies } from "./source-facts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const limits = await limitForms();

/**
 * The pages, each with a function that updates it. A page has a row or section for each item of the code. The function
 * writes the facts. It throws if an item has no row or section, or if a row or section has no item.
 */
const PAGES = {
  configuration: async (page) => {
    const keys = await configKeys();
    return withCells(page, keys, "Key", ({ type, shownDefault }) => [type, shownDefault]);
  },
  limits: (page) => {
    complain(
      "limits.md",
      "mention",
      [...limits.keys()].filter((name) => !page.includes(`<!--${name}-->`)),
    );
    return page;
  },
  metrics: (page) =>
    withCells(page, metricFamilies(root), "Metric", ({ type, labels }) => [
      type,
      labels.map((label) => `\`${label}\``).join(", "),
    ]),
  errors: async (page) => {
    const reasons = await errorReasons(root);
    const known = new Set();
    const updated = page.replace(
      /^### ([A-Z][A-Z0-9_]+)\n(\n`\d+ \w+`( or `\d+ \w+`)*\n)?/gm,
      (_, reason) => {
        const statuses = reasons.get(reason);
        if (statuses === undefined) throw new Error(`errors.md: no error has the reason ${reason}`);
        known.add(reason);
        return `### ${reason}\n\n${[...statuses].map((status) => `\`${status}\``).join(" or ")}\n`;
      },
    );
    complain(
      "errors.md",
      "section",
      [...reasons.keys()].filter((reason) => !known.has(reason)),
    );
    return updated;
  },
  permissions: async (page) => {
    const sections = (await operations()).map(({ title, rows }) => `## ${title}\n\n${table(rows)}\n`);
    return page.slice(0, page.indexOf("## ")) + sections.join("\n");
  },
  cli: async (page) => {
    const help = await commandHelp();
    const shown = new Set();
    const updated = page.replace(/^```text\nUsage: ([a-z-]+(?: [a-z-]+)*)[^`]*?\n```$/gm, (_, name) => {
      if (!help.has(name)) throw new Error(`cli.md: there is no command ${name}`);
      shown.add(name);
      return `\`\`\`text\n${help.get(name).trim()}\n\`\`\``;
    });
    complain(
      "cli.md",
      "help",
      [...help.keys()].filter((name) => !shown.has(name)),
    );
    return updated;
  },
};

/**
 * Writes the cells after the first one in the rows of all tables whose first column has a title. A row may name several
 * things, separated by commas.
 */
function withCells(page, facts, title, cellsOf) {
  const known = new Set();
  let columns;
  const lines = page.split("\n").map((line) => {
    const [, first, ...cells] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (first === undefined) columns = undefined;
    else if (first === title) columns = cells.length;
    if (columns === undefined || first === title || /^-+$/.test(first)) return line;
    if (cells.length !== columns) throw new Error(`the row of ${first} needs as many cells as its table`);
    const names = [...first.matchAll(/`(.+?)`/g)].map(([, name]) => name);
    const [found, ...others] = names.map((name) => {
      if (!facts.has(name)) throw new Error(`the code has no ${name}`);
      known.add(name);
      return cellsOf(facts.get(name));
    });
    if (others.some((other) => `${other}` !== `${found}`))
      throw new Error(`${names} differ: use a row for each`);
    return `| ${[first, ...found, ...cells.slice(found.length, -1)].join(" | ")} |`;
  });
  complain(
    title,
    "row",
    [...facts.keys()].filter((name) => !known.has(name)),
  );
  return lines.join("\n");
}

function complain(page, missing, names) {
  if (names.length > 0) throw new Error(`${page}: no ${missing} for ${names.join(", ")}; add it to the page`);
}

function table([head, ...rows]) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Updates the values before comments with the names of limits, such as `16 KiB<!--MAX_TARGET_BYTES-->`. */
function withLimits(page) {
  return page.replace(/(?:\d[\d,]*(?: [a-zA-Z/]+)?)?(<!--((?:MAX|MIN)_\w+)-->)/g, (_, comment, name) => {
    if (!limits.has(name)) throw new Error(`src/limits has no ${name}`);
    return limits.get(name) + comment;
  });
}

for (const [name, update] of Object.entries(PAGES)) {
  const path = `${root}docs/reference/${name}.md`;
  const before = readFileSync(path, "utf8");
  const page = withLimits(await update(before));
  if (page === before) continue;
  if (!process.argv.includes("--check")) writeFileSync(path, page);
  else {
    console.error(`docs/reference/${name}.md is stale: run npm run generate:docs`);
    process.exitCode = 1;
  }
}
