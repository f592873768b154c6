import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DocumentStore } from "../document-store.js";

/** Documents under test. */
export interface DocumentsUnderTest {
  /** Opens the documents as a process does after a restart, or beside another if `isShared`. */
  open(): DocumentStore;
  /** True if several processes may use the documents at the same time. */
  readonly isShared: boolean;
  /** Removes everything. */
  dispose(): Promise<void>;
}

/** Tests of documents, for any implementation. */
export function describeDocumentStore(name: string, setUp: () => Promise<DocumentsUnderTest>): void {
  describe(name, () => {
    let subject: DocumentsUnderTest;
    let documents: DocumentStore;
    beforeEach(async () => {
      subject = await setUp();
      documents = subject.open();
    });
    afterEach(() => subject.dispose());

    it("keeps a document, also for those that open the documents later", async () => {
      expect(await documents.read("a")).toBeUndefined();
      expect(await documents.replace("a", undefined, "one\n€")).toBe(true);
      expect(await documents.replace("a", "one\n€", "two")).toBe(true);
      for (const opened of [documents, subject.open()]) expect(await opened.read("a")).toBe("two");
    });

    it("keeps documents of different names apart", async () => {
      for (const name of ["a", "b", "a.b", "a-b"]) await documents.replace(name, undefined, `of ${name}`);
      for (const name of ["a", "b", "a.b", "a-b"]) expect(await documents.read(name)).toBe(`of ${name}`);
    });

    it("keeps documents of any length", async () => {
      const long = "0123456789abcdef".repeat(65_536);
      expect(await documents.replace("a", undefined, long)).toBe(true);
      expect(await documents.replace("a", long, `${long}!`)).toBe(true);
      expect(await documents.read("a")).toBe(`${long}!`);
    });

    it("leaves a document alone that is not what the caller has read", async () => {
      expect(await documents.replace("a", "nothing", "new")).toBe(false);
      expect(await documents.read("a")).toBeUndefined();
      await documents.replace("a", undefined, "old");
      for (const before of [undefined, "other", ""]) {
        expect(await documents.replace("a", before, "new")).toBe(false);
      }
      expect(await documents.read("a")).toBe("old");
    });

    it("lets one of several win that replace a document at once", async () => {
      for (const before of [undefined, "0"]) {
        const stores = Array.from({ length: 8 }, () => (subject.isShared ? subject.open() : documents));
        const name = `from-${before}`;
        if (before !== undefined) await documents.replace(name, undefined, before);
        const won = await Promise.all(stores.map((store, i) => store.replace(name, before, `by ${i}`)));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await documents.read(name)).toBe(`by ${won.indexOf(true)}`);
      }
    });
  });
}
