import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileDirectory } from "../../../test/support/test-directory.js";
import { readMapFile } from "./event-map.js";

const MAP = `appId: { column: app }
messageId: { columns: [id] }
eventTime: { column: at, format: iso }
eventType:
  column: what
  values:
    ok: DELIVERED
usageReportingOptIn: { value: true }
`;

const directory = fileDirectory();

/** The problem with a map, without the file name. */
async function mistakes(text: string): Promise<string> {
  const file = join(directory, "map.yaml");
  await writeFile(file, text);
  return readMapFile(file).then(
    () => "",
    (error: Error) => error.message.replaceAll(`${file}: `, ""),
  );
}

it("readMapFile reads a valid map", async () => {
  expect(await mistakes(MAP)).toBe("");
});

it.each<[name: string, from: string, to: string, mistake: string | RegExp]>([
  [
    "an unknown key",
    "ok: DELIVERED",
    "ok: DELIVERED\n  colunm: x",
    "line 8: eventType.colunm: is not a known key",
  ],
  ["a missing key", "usageReportingOptIn: { value: true }", "", "line 1: usageReportingOptIn: is required"],
  [
    "a type that does not exist",
    "ok: DELIVERED",
    "ok: ARRIVED",
    /^line 7: eventType\.values\.ok: .*"DELIVERED"/,
  ],
  ["a format that does not exist", "iso", "unix", /^line 3: eventTime\.format: .*"seconds"/],
  ["an invalid offset", "iso", "iso, offset: CET", /^line 3: eventTime\.offset: must be Z or an offset/],
  ["neither column nor value", "column: app", "", "line 1: appId: needs either column or value"],
  [
    "both column and value",
    "column: app",
    "column: app, value: x",
    "line 1: appId: needs either column or value",
  ],
  ["a value twice", "ok: DELIVERED", "ok: DELIVERED\n    OK: drop", /eventType\.values: has a value twice/],
  ["no columns", "[id]", "[]", /^line 2: messageId\.columns: /],
  ["a wrong type", "value: true", "value: often", /^line 8: usageReportingOptIn\.value: /],
  ["the same key twice", "appId:", "messageId: { columns: [x] }\nappId:", /unique.* line [13]/],
  ["a text instead of a map", MAP, "hello", /^line 1: the map: /],
  ["nothing", MAP, "", /^line 1: the map: /],
  ["a key that is a map", "column: app", "? { a: 1 }\n  : app", /^Keys must be strings at line 1, /],
])("readMapFile reports the key and line of %s", async (_name, from, to, mistake) => {
  expect(await mistakes(MAP.replace(from, to))).toMatch(mistake);
});
