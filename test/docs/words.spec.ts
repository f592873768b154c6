import { describe, expect, it } from "vitest";
import { findHabits } from "../../scripts/words/rules.mjs";
import { commentsOf, hasKnownComments, proseOf, scriptTexts } from "../../scripts/words/texts.mjs";

describe("findHabits", () => {
  it.each<[text: string, rules: string[]]>([
    ["The server answers, and tells what it has.", ["answer", "tell", "what …"]],
    ["the size of the file", ["the … of the …"]],
    ["Fault injection finds a fault.", ["fault"]],
    ["Most calls that wait", ["most"]],
    ["returns the most recent entry", []],
    ["A missing file is an error. Missing for all.", ["missing"]],
    ["a return value, an overturned decision", []],
    ["The response lists ongoing incidents.", []],
  ])("finds in %j the habits %j", (text, rules) => {
    expect(findHabits(text).map(({ rule }) => rule)).toEqual(rules);
  });
});

describe("proseOf", () => {
  it("keeps neither code nor link targets, and keeps every offset", () => {
    const markdown = "A `told` [page](judge.md)\n```sh\nanswer\n```\n<img alt='given'> told\n";
    const prose = proseOf(markdown);
    expect(findHabits(prose).map(({ index }) => markdown.slice(index, index + 4))).toEqual(["told"]);
    expect(prose.length).toBe(markdown.length);
  });
});

describe("scriptTexts", () => {
  it.each<[source: string, kind: string, text: string]>([
    ["/** Reads an entry. `told` */", "comments", "* Reads an entry.        "],
    ["throw new Error(`cannot read it: ` + path)", "messages", "cannot read it: "],
    ['const NAME = "no such app"', "messages", "no such app"],
    ["const page = <p>No entries yet</p>", "messages", "No entries yet"],
    ['test("rejects a token of another app", () => {})', "titles", "rejects a token of another app"],
    ['it.each([1])("accepts a page of %i", () => {})', "titles", "accepts a page of %i"],
    ["describe.each`a`(`lists of an app`, () => {})", "titles", "lists of an app"],
  ])("finds the human-readable texts in %s", (source, kind, text) => {
    expect(scriptTexts("a.tsx", source)[0]).toMatchObject({ kind, text });
  });

  it.each([
    'import a from "the file of the name.js"',
    'const path = "a/b"',
    'sql("SELECT what is FROM given")',
    "const told = 1",
  ])("finds no human-readable texts in %s", (source) => {
    expect(scriptTexts("a.ts", source)).toEqual([]);
  });
});

describe("commentsOf", () => {
  it.each<[path: string, source: string, text: string]>([
    ["a.proto", "message A {} // Lists `told` apps.", " Lists        apps."],
    ["a.css", ".a { color: red; } /* Lists\n apps. */", " Lists\n apps. "],
    ["a.sql", "SELECT 1 -- Lists apps.", " Lists apps."],
    ["a.py", "#!/usr/bin/python3\n  # Lists apps.\nlink = '#told'", " Lists apps."],
    ["a.sh", "echo a#b\n# Lists apps.", " Lists apps."],
    ["Dockerfile", "# Lists apps.\nRUN true", " Lists apps."],
  ])("finds the comments in %s, without code", (path, source, text) => {
    expect(hasKnownComments(path)).toBe(true);
    expect(commentsOf(path, source)).toMatchObject([
      { kind: "comments", text, start: source.indexOf(" Lists") },
    ]);
  });

  it("ignores TypeScript comments, because scriptTexts finds them", () => {
    expect(hasKnownComments("a.ts")).toBe(false);
  });
});
