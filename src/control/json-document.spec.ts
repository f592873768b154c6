import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import type { EmbeddedRecords } from "./embedded/embedded-records.js";
import { JsonDocument } from "./json-document.js";
import { testRecords } from "./testing/test-records.js";

let records: EmbeddedRecords;
beforeEach(async () => {
  records = await testRecords(await testDirectory());
});

const open = () => new JsonDocument<{ readonly count: number }>(records, { name: "document" }, "a");

it("JsonDocument returns the same object until the record changes", async () => {
  const document = open();
  expect(await document.read()).toBeUndefined();
  await document.change(() => ({ count: 1 }));
  const first = await document.read();
  expect(first).toEqual({ count: 1 });
  expect(await document.read()).toBe(first);
});

it("JsonDocument returns the value that it wrote last, until another process changes it", async () => {
  const [document, other] = [open(), open()];
  const given = { count: 1 };
  await document.change(() => given);
  expect(await document.read()).toBe(given);
  await other.change(() => ({ count: 2 }));
  const changes: unknown[] = [];
  await document.change((before) => {
    changes.push(before);
    return { count: 3 };
  });
  expect(changes).toEqual([{ count: 2 }]);
  expect(await other.read()).toEqual({ count: 3 });
});

it("JsonDocument returns the value that another process has written last", async () => {
  const [one, other] = [open(), open()];
  await one.change(() => ({ count: 1 }));
  expect(await other.read()).toEqual({ count: 1 });
  await one.change((before) => ({ count: (before?.count ?? 0) + 1 }));
  expect(await other.read()).toEqual({ count: 2 });
  await other.change((before) => ({ count: (before?.count ?? 0) + 1 }));
  expect(await one.read()).toEqual({ count: 3 });
});

it("JsonDocument does not overwrite a change that a concurrent read has found", async () => {
  const [document, other] = [open(), open()];
  await document.change(() => ({ count: 1 }));
  const kind = { name: "document" };
  const [before] = await records.list(kind, { limit: 1 });
  await other.change(() => ({ count: 2 }));
  const [after] = await records.list(kind, { limit: 1 });
  const results = [Promise.resolve(before), Promise.resolve(after)];
  const slow = {
    get: () => results.shift() ?? records.get(kind, "a"),
    change: records.change.bind(records),
  };
  const racing = new JsonDocument<{ readonly count: number }>(slow, kind, "a");
  const changed = racing.change((value) => ({ count: (value?.count ?? 0) + 10 }));
  await racing.read();
  await changed;
  expect(await document.read()).toEqual({ count: 12 });
});

it("JsonDocument returns undefined once the record is deleted", async () => {
  const document = open();
  await document.change(() => ({ count: 1 }));
  await records.change([{ kind: { name: "document" }, key: "a", value: undefined }]);
  expect(await document.read()).toBeUndefined();
  await document.change((before) => ({ count: (before?.count ?? 10) + 1 }));
  expect(await open().read()).toEqual({ count: 11 });
});
