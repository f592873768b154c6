import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { EVENT_TYPES, EventKind, eventTypesOf } from "../../src/model/event-types.js";

const events = sectionOf("docs/reference/events.md", "Types");
const figures = sectionOf("docs/reference/percentages.md", "Counts and percentages");

const KINDS = [
  ["Acceptance", EventKind.ACCEPTANCE],
  ["Outcomes", EventKind.OUTCOME],
  ["Storage", EventKind.STORAGE],
  ["Delays", EventKind.DELAY],
  ["Priority", EventKind.PRIORITY],
  ["Proxy results", EventKind.PROXY_RESULT],
] as const;

test.each(KINDS)(
  "docs/reference/events.md lists types of group %s in the contract's order",
  (group, kind) => {
    const row = events.find((line) => line.startsWith(`| ${group} |`)) ?? "";
    expect(codesOf(row)).toEqual(eventTypesOf(kind).map(({ name }) => name));
  },
);

it("docs/reference/events.md lists no type twice, and no type of another kind", () => {
  expect(events.flatMap(codesOf)).toHaveLength(EVENT_TYPES.length);
});

test.each(EVENT_TYPES.filter(({ count }) => count !== ""))(
  "docs/reference/percentages.md states that the figure $count counts $name",
  ({ name, count }) => {
    const figure = count.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const row = figures.find((line) => line.startsWith(`| \`${figure}\` |`));
    expect(row, `the table of figures has no row for ${figure}`).toBeDefined();
    expect(codesOf(row ?? "")).toContain(name);
  },
);

function sectionOf(file: string, title: string): string[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, section = ""] = text.split(`\n## ${title}\n`);
  return (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
}

function codesOf(row: string): string[] {
  return [...row.matchAll(/`([A-Z_]+)`/g)].map(([, code = ""]) => code);
}
