import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import type { EmbeddedRecords } from "./embedded/embedded-records.js";
import { readKeys, removeKey, sharedKey } from "./keys.js";
import { testRecords } from "./testing/test-records.js";

let directory: string;
let records: EmbeddedRecords;
beforeEach(async () => {
  directory = await testDirectory();
  records = await testRecords(directory);
});

const never = (): never => {
  throw new Error("the key was made again");
};

it("sharedKey generates a key once, and names its location", async () => {
  const key = await sharedKey(records, "a.key", () => ({ d: "s3cret" }));
  expect(key).toEqual({ value: { d: "s3cret" }, place: `a.key in ${join(directory, "records.db")}` });
  expect(await sharedKey(records, "a.key", never)).toEqual(key);
});

it("sharedKey returns the same key to all processes that generate it at the same time", async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => testRecords(directory)));
  const keys = await Promise.all(others.map((own, index) => sharedKey(own, "a", () => `key ${index}`)));
  expect(new Set(keys.map(({ value }) => value)).size).toBe(1);
});

it("sharedKey stores nothing if generating the key fails", async () => {
  await expect(sharedKey(records, "a", never)).rejects.toThrow("the key was made again");
  expect(await readKeys(records)).toEqual(new Map());
});

it("sharedKey generates a new key after the old one was removed", async () => {
  for (const name of ["a", "b"]) await sharedKey(records, name, () => `old ${name}`);
  await removeKey(records, "a");
  await sharedKey(records, "a", () => "new a");
  expect(await readKeys(records)).toEqual(
    new Map([
      ["a", "new a"],
      ["b", "old b"],
    ]),
  );
});
