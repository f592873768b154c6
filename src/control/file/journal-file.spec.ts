import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { JournalFile } from "./journal-file.js";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "waybill-journal-"));
  path = join(directory, "made", "journal.ndjson");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Returns a journal with one line, already read. */
async function begun(line = "one"): Promise<JournalFile> {
  const journal = new JournalFile(path);
  await journal.append(line);
  expect(newLines(journal)).toEqual([line]);
  return journal;
}

const newLines = (journal: JournalFile): string[] => journal.newLines().map(({ text }) => text);

describe("JournalFile", () => {
  it("reports number and end of each line, even if its bytes are not valid text", async () => {
    const journal = await begun();
    appendFileSync(path, Buffer.from([0xff, 0xfe, 0x0a, 0x0a]));
    await new JournalFile(path).append("é");
    expect(journal.newLines()).toEqual([
      { number: 2, end: 7, text: "\ufffd\ufffd" },
      { number: 3, end: 8, text: "" },
      { number: 4, end: 11, text: "é" },
    ]);
  });

  it("has no lines before its file exists", () => {
    expect(newLines(new JournalFile(path))).toEqual([]);
  });

  it("makes the file and its directory accessible to their owner only", async () => {
    await begun();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "made")).mode & 0o777).toBe(0o700);
  });

  it("returns each line once, regardless of which process added it", async () => {
    const [ours, theirs] = [await begun(), new JournalFile(path)];
    expect(newLines(theirs)).toEqual(["one"]);
    await theirs.append("two");
    await theirs.append("zwölf 📚");
    expect(newLines(ours)).toEqual(["two", "zwölf 📚"]);
    expect(newLines(ours)).toEqual([]);
    expect(newLines(theirs)).toEqual(["two", "zwölf 📚"]);
  });

  it("reads lines and files larger than one chunk", async () => {
    const journal = await begun();
    // Characters of two and three bytes lie across the ends of chunks.
    const lines = [..."aé…"].map((letter) => letter.repeat(3_000_000));
    for (const line of lines) await journal.append(line);
    expect(newLines(journal)).toEqual(lines);
    expect(newLines(new JournalFile(path))).toEqual(["one", ...lines]);
  });
});

describe("an unfinished line", () => {
  it("is ignored, and stays apart from the line appended after it", async () => {
    const journal = await begun();
    appendFileSync(path, "torn");
    expect(newLines(journal)).toEqual([]);
    await journal.append("two");
    expect(newLines(journal)).toEqual(["torn!", "two"]);
    await journal.append("three");
    expect(readFileSync(path, "utf8")).toBe("one\ntorn!\ntwo\nthree\n");
  });

  it("is returned once its writer has completed it", async () => {
    const journal = await begun();
    appendFileSync(path, "two, be");
    expect(newLines(journal)).toEqual([]);
    appendFileSync(path, "gun\nthree\nfo");
    expect(newLines(journal)).toEqual(["two, begun", "three"]);
    appendFileSync(path, "ur\n");
    expect(newLines(journal)).toEqual(["four"]);
    await journal.append("five");
    expect(readFileSync(path, "utf8")).toBe("one\ntwo, begun\nthree\nfour\nfive\n");
  });
});

test.each<[what: string, how: () => void]>([
  ["removed", () => rmSync(path)],
  ["cut", () => truncateSync(path, 1)],
  [
    "replaced",
    () => {
      writeFileSync(`${path}.new`, "another one\n");
      renameSync(`${path}.new`, path);
    },
  ],
])("refuses to read on from a journal that was %s while in use", async (_, how) => {
  const journal = await begun();
  how();
  expect(() => journal.newLines()).toThrow(/journal\.ndjson was removed, replaced or cut while in use/);
});
