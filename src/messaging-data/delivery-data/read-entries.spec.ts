import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { COUNTS, type EntryColumns, type EntryQuery } from "../../store/delivery-data-store.js";
import { listHandler } from "./list-handler.js";
import { readUntilEnough } from "./read-entries.js";
import { ResponseCache } from "./versioned-cache.js";

const DAY = 20_000;
/** Maximum number of reads per page. */
const MOST_READS = 16;
/** More entries than the reads for two pages can skip. */
const STORED = 40_000;
const LABELS = Array.from({ length: STORED }, (_, i) => String(i).padStart(5, "0"));

const columnsOf = (labels: readonly string[]): EntryColumns => ({
  length: labels.length,
  days: labels.map(() => DAY),
  appIds: labels.map(() => "a"),
  labels,
  counts: COUNTS.map(() => new Float64Array(labels.length)),
});

interface Page {
  readonly labels: readonly string[];
  readonly hasToken: boolean;
  readonly reads: number;
}

/** Reads all pages of a list that omits most entries. */
async function walk(kept: ReadonlySet<string>, app: string, pageSize: number, fillPages: boolean) {
  let reads = 0;
  const store = {
    readEntries: async ({ after, limit }: EntryQuery) => {
      reads += 1;
      const from = after === undefined ? 0 : Number(after.label) + 1;
      const read = LABELS.slice(from, from + limit);
      // A store may return batches of any size.
      return [[], read.slice(0, 700), [], read.slice(700), []].map(columnsOf);
    },
    readVersions: async () => [],
  };
  const change = async (read: readonly EntryColumns[]) =>
    read.map(({ labels }) => columnsOf(labels.filter((label) => kept.has(label))));
  const handle = listHandler({
    store,
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => 0 }),
    responses: new ResponseCache({ version: async () => "1" }),
    lastListedDay: () => DAY,
    isMirrored: () => false,
    viewOf: () => ({
      readEntries: (query, signal) =>
        readUntilEnough(store, query, { change, enough: fillPages ? query.limit : 1 }, signal),
    }),
  });
  const pages: Page[] = [];
  let pageToken: string | undefined = "";
  while (pageToken !== undefined) {
    // Pages without entries skip thousands of omitted entries.
    expect(pages.length).toBeLessThan(kept.size + MOST_READS);
    reads = 0;
    const parent = `projects/p/androidApps/${app}`;
    const request = create(ListAndroidDeliveryDataRequestSchema, { parent, pageSize, pageToken });
    const response = await handle(
      request,
      callContext(projectCaller(), { resource: resourceName(request.parent) }),
    );
    const { androidDeliveryData = [], nextPageToken } = JSON.parse(response.bytes.toString()) as {
      androidDeliveryData?: readonly { analyticsLabel: string }[];
      nextPageToken?: string;
    };
    const labels = androidDeliveryData.map(({ analyticsLabel }) => analyticsLabel);
    pages.push({ labels, hasToken: nextPageToken !== undefined, reads });
    pageToken = nextPageToken;
  }
  return pages;
}

/** A few runs of entries, far from each other. */
const runs = fc.array(fc.record({ from: fc.nat(STORED - 1), length: fc.integer({ min: 1, max: 30 }) }), {
  maxLength: 6,
});

it("readPage returns each entry once, in order, even if many entries between them are omitted", async () => {
  await fc.assert(
    fc.asyncProperty(
      runs,
      fc.constantFrom("a", "-"),
      fc.constantFrom(1, 7, 30, 2_000),
      fc.boolean(),
      async (runs, app, pageSize, fillPages) => {
        const kept = LABELS.filter((_, row) =>
          runs.some(({ from, length }) => row >= from && row < from + length),
        );
        const pages = await walk(new Set(kept), app, pageSize, fillPages);
        expect(pages.flatMap(({ labels }) => labels)).toEqual(kept);
        for (const { labels, hasToken, reads } of pages) {
          expect(labels.length).toBeLessThanOrEqual(pageSize);
          expect(reads).toBeLessThanOrEqual(MOST_READS);
          const isFull = labels.length >= (fillPages ? pageSize : 1);
          expect(isFull || !hasToken || reads === MOST_READS).toBe(true);
        }
      },
    ),
    { numRuns: 40 },
  );
});

it("readPage returns a token if the maximum number of reads did not fill the page", async () => {
  const last = LABELS.at(-1) ?? "";
  const pages = await walk(new Set([last]), "a", 1, true);
  expect(pages.map(({ labels, hasToken }) => ({ labels, hasToken }))).toEqual([
    { labels: [], hasToken: true },
    { labels: [], hasToken: true },
    { labels: [last], hasToken: false },
  ]);
});
