import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { FileDocuments } from "./file/file-documents.js";
import { JsonDocument } from "./json-document.js";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let documents: FileDocuments;
beforeEach(async () => {
  directory = await temporaryDirectory();
  documents = new FileDocuments(directory.path);
});
afterEach(() => directory.remove());

const open = () => new JsonDocument<{ readonly count: number }>(documents, "a");

it("has one value as long as its text is the same", async () => {
  const document = open();
  expect(await document.read()).toBeUndefined();
  await document.change(() => ({ count: 1 }));
  const first = await document.read();
  expect(first).toEqual({ count: 1 });
  expect(await document.read()).toBe(first);
});

it("has the value that it was given, until others write", async () => {
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

it("has the value that others wrote last", async () => {
  const [one, other] = [open(), open()];
  await one.change(() => ({ count: 1 }));
  expect(await other.read()).toEqual({ count: 1 });
  await one.change((before) => ({ count: (before?.count ?? 0) + 1 }));
  expect(await other.read()).toEqual({ count: 2 });
  await other.change((before) => ({ count: (before?.count ?? 0) + 1 }));
  expect(await one.read()).toEqual({ count: 3 });
});

it("is told to be damaged at each read", async () => {
  const document = open();
  await documents.replace("a", undefined, "{");
  for (let read = 0; read < 2; read++) {
    await expect(document.read()).rejects.toThrow("the document a is not JSON; remove it to begin anew");
  }
});
