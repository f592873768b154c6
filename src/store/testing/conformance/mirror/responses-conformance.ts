import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseQuery, StoredResponse } from "../../../mirror-store.js";
import type { Store } from "../../../store.js";
import { OTHER_PROJECT, PROJECT } from "../../test-events.js";
import { TIME } from "./mirrored-rows.js";

export const responseOf = (
  over: Partial<StoredResponse> & { readonly text?: string } = {},
): StoredResponse => {
  const { appId = "app", fetchedAt = TIME, url = "https://original.example/v1", text = "{}" } = over;
  const { body = Buffer.from(text), gzip } = over;
  return { appId, fetchedAt, url, body, gzip };
};

/** Reads responses, with bodies as strings of one byte per character. */
export async function readTexts(store: Store, query: Partial<ResponseQuery> = {}) {
  const responses = await store.readResponses({ project: PROJECT, appId: "app", limit: 100, ...query });
  return responses.map(({ body, ...response }) => ({
    ...response,
    text: Buffer.from(body).toString("latin1"),
  }));
}

const textOf = ({ body, ...response }: StoredResponse) => ({
  ...response,
  text: Buffer.from(body).toString("latin1"),
});

export function describeResponses(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describe("mirrored responses", () => {
    const keep = async (responses: readonly StoredResponse[], project = PROJECT): Promise<void> => {
      for (const response of responses) await storeOf().storeResponse(project, response);
    };

    it("are read newest first, before a time, for one app of a project", async () => {
      const responses = [0, 1, 2, 3].map((i) =>
        responseOf({ fetchedAt: TIME - i, text: `${i % 2}`, url: `/${i}` }),
      );
      await keep(responses.toReversed());
      await keep([responseOf({ appId: "other", text: "of another app" })]);
      await keep([responseOf({ text: "of another project" })], OTHER_PROJECT);
      const expected = responses.map(textOf);
      expect(await readTexts(storeOf())).toEqual(expected);
      expect(await readTexts(storeOf(), { limit: 2 })).toEqual(expected.slice(0, 2));
      expect(await readTexts(storeOf(), { before: TIME - 1, limit: 1 })).toEqual(expected.slice(2, 3));
      expect(await readTexts(storeOf(), { before: TIME - 3 })).toEqual([]);
      expect(await readTexts(storeOf(), { appId: "unknown" })).toEqual([]);
      await reopen();
      expect(await readTexts(storeOf())).toEqual(expected);
    });

    it("are read in pages, even if they are simultaneous", async () => {
      const texts = Array.from({ length: 7 }, (_, i) => `${i}`);
      await keep(texts.map((text) => responseOf({ text })));
      const read = [0, 3, 6, 9].map((skip) => readTexts(storeOf(), { skip, limit: 3 }));
      expect((await Promise.all(read)).map(({ length }) => length)).toEqual([3, 3, 1, 0]);
      const all = (await Promise.all(read)).flat();
      expect(all.map(({ text }) => text).sort()).toEqual(texts);
      expect(await readTexts(storeOf())).toEqual(all);
    });

    it("are stored once, even if stored repeatedly and concurrently", async () => {
      const responses = [
        responseOf(),
        responseOf({ url: "/2" }),
        responseOf({ text: "[]", fetchedAt: TIME - 1 }),
      ];
      await Promise.all(
        [...responses, ...responses].map((response, index) =>
          storeOf().storeResponse(PROJECT, response, index % 2 === 0),
        ),
      );
      await reopen();
      await keep(responses);
      const read = await readTexts(storeOf());
      expect(read).toHaveLength(3);
      expect(read).toEqual(expect.arrayContaining(responses.map(textOf)));
    });

    it("keep their exact bodies, including empty and large ones", async () => {
      const large = randomBytes(3_000_000);
      const bodies = [Buffer.alloc(0), Buffer.from([0, 255, 10, 13, 0]), large, Buffer.alloc(8_000_000, " ")];
      await keep(bodies.map((body, i) => responseOf({ fetchedAt: TIME - i, body })));
      const read = await storeOf().readResponses({ project: PROJECT, appId: "app", limit: 9 });
      expect(read.map(({ body }, i) => Buffer.compare(Buffer.from(body), bodies[i] ?? large))).toEqual([
        0, 0, 0, 0,
      ]);
    });

    it("may be stored with the gzip in which they were received", async () => {
      const text = "received ".repeat(1_000);
      const received = [
        gzipSync(text, { level: 1 }),
        Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100))]),
      ];
      const responses = received.map((gzip, i) =>
        responseOf({ fetchedAt: TIME - i, text: `${text}${i}`, gzip }),
      );
      await keep(responses);
      const read = await readTexts(storeOf());
      // The store does not compress the body again: the received gzip has another content here.
      expect(read).toEqual(responses.map(({ fetchedAt }) => textOf(responseOf({ fetchedAt, text }))));
    });

    it("are read as they were stored, in any history", async () => {
      let project = 4_000_000;
      const someResponses = fc.array(
        fc.record({
          appId: fc.constantFrom("app", "b"),
          fetchedAt: fc.integer({ min: 1, max: 9 }),
          url: fc.constantFrom("/1", "/2?a='é"),
          text: fc.constantFrom("{}", "[]", ""),
        }),
        { maxLength: 20 },
      );
      await fc.assert(
        fc.asyncProperty(someResponses, fc.integer({ min: 1, max: 10 }), async (responses, before) => {
          const number = String(project++);
          await keep(responses.map(responseOf), number);
          for (const appId of ["app", "b"]) {
            const read = await readTexts(storeOf(), { project: number, appId, before });
            const expected = responses.filter(
              (response) => response.appId === appId && response.fetchedAt < before,
            );
            const times = read.map(({ fetchedAt }) => fetchedAt);
            expect(times).toEqual(times.toSorted((a, b) => b - a));
            const keys = (list: readonly object[]) =>
              [...new Set(list.map((item) => JSON.stringify(item)))].sort();
            expect(keys(read)).toEqual(keys(expected.map(responseOf).map(textOf)));
            expect(read).toHaveLength(keys(read).length);
          }
        }),
        { numRuns: runs(20) },
      );
    });
  });
}
