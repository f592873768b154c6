import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { importBatch, ndjson } from "../support/data/import.js";
import {
  importWidePages,
  WIDE_APP,
  WIDE_ENTRIES,
  WIDE_LABELS,
  widePage,
} from "../support/data/wide-pages.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR } from "../support/servers/project.js";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Path = readonly string[];

const test = serving.extend(
  "page",
  ({ server, viewer }) =>
    async (size: number, parameters: string, headers = {}): Promise<Buffer> => {
      const target = `${widePage(WIDE_ENTRIES - size)}${parameters}`;
      const { status, bytes } = await send(server.messagingDataUrl, target, { token: viewer, headers });
      expect(status).toBe(200);
      return bytes;
    },
);

test.beforeAll(async ({ server }) => {
  await importWidePages(server);
});

/** Selected paths of a response, in the response's order. */
function select(json: Json, paths: readonly Path[]): Json | undefined {
  if (paths.some((path) => path.length === 0)) return json;
  if (Array.isArray(json)) return json.flatMap((item) => select(item, paths) ?? []);
  if (typeof json !== "object" || json === null) return undefined;
  const fields = Object.entries(json).flatMap(([name, value]) => {
    const below = paths.filter(([first]) => first === name || first === "*").map((path) => path.slice(1));
    const selected = below.length === 0 ? undefined : select(value, below);
    return selected === undefined ? [] : [[name, selected] as const];
  });
  return Object.fromEntries(fields);
}

const PATHS: readonly Path[] = [
  ["nextPageToken"],
  ["androidDeliveryData"],
  ["androidDeliveryData", "appId"],
  ["androidDeliveryData", "date"],
  ["androidDeliveryData", "date", "year"],
  ["androidDeliveryData", "analyticsLabel"],
  ["androidDeliveryData", "data", "countMessagesAccepted"],
  ["androidDeliveryData", "data", "messageOutcomePercents", "delivered"],
  ["androidDeliveryData", "*", "month"],
  ["*", "data"],
];

/** Small pages are shaped immediately, large ones on a separate thread. */
const SIZES = [1, 60, 1_000, 9_999];

test("a partial page equals the selected part of the whole page, byte for byte", async ({ page }) => {
  const request = fc.record({
    size: fc.constantFrom(...SIZES),
    paths: fc.subarray([...PATHS]),
    isPretty: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ size, paths, isPretty }) => {
      const whole = JSON.parse((await page(size, "")).toString()) as Json;
      const selected = paths.length === 0 ? whole : select(whole, paths);
      const fields = paths.length === 0 ? "" : `&fields=${paths.map((path) => path.join("/")).join(",")}`;
      const part = await page(size, `${fields}&prettyPrint=${isPretty}`);
      expect(part.equals(Buffer.from(JSON.stringify(selected, null, isPretty ? 2 : undefined)))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("a repeated partial page shows new delivery data", async ({ page, server }) => {
  const part = async (): Promise<string> =>
    (await page(1_000, "&fields=androidDeliveryData/data/countMessagesAccepted")).toString();
  const before = await part();
  expect(await part()).toBe(before);
  const event = accepted(WIDE_APP, "2026-01-05T12:00:00Z", WIDE_LABELS[0]);
  await importBatch(server, await server.token(EDITOR), ndjson([event]));
  const after = await poll(part, (text) => text !== before);
  expect(after).toBe(before.replace('"countMessagesAccepted":"1"', '"countMessagesAccepted":"2"'));
});

test.for([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
] as const)("a large partial page is compressed with %s", async ([coding, unpack], { page }) => {
  const parameters = "&fields=androidDeliveryData/analyticsLabel&prettyPrint=true";
  const packed = await page(9_998, parameters, { "accept-encoding": coding });
  expect(unpack(packed).equals(await page(9_998, parameters))).toBe(true);
});
