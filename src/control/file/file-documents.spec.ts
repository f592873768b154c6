import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreUnavailableError } from "../../model/store-error.js";
import { describeDocumentStore } from "../testing/document-conformance.js";
import { FileDocuments } from "./file-documents.js";

describeDocumentStore("FileDocuments", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-documents-"));
  return {
    open: () => new FileDocuments(directory),
    isShared: false,
    dispose: () => rm(directory, { recursive: true }),
  };
});

describe("a file of a document", () => {
  let directory: string;
  let folder: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "waybill-documents-"));
    folder = join(directory, "deep", "documents");
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("may be read by its owner only, and is alone in its folder", async () => {
    const documents = new FileDocuments(join(directory, "deep"));
    await documents.replace("a", undefined, "one");
    await documents.replace("a", "one", "two");
    expect(await readdir(folder)).toEqual(["a.json"]);
    expect((await stat(join(folder, "a.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("is named if it can be neither read nor written", async () => {
    await writeFile(join(directory, "file"), "");
    const documents = new FileDocuments(join(directory, "file"));
    await expect(documents.read("a")).rejects.toThrow("the document a cannot be read: Error: ENOTDIR");
    await expect(documents.replace("a", undefined, "b")).rejects.toBeInstanceOf(StoreUnavailableError);
  });

  it("is as it was if a kill has left half of the next text", async () => {
    const documents = new FileDocuments(join(directory, "deep"));
    await documents.replace("a", undefined, "one");
    await writeFile(join(folder, "a.json.new"), "tw");
    expect(await documents.read("a")).toBe("one");
    expect(await documents.replace("a", "one", "two")).toBe(true);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });
});
