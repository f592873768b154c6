import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { queryDuckDb } from "../../../test/support/data/duckdb.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { AndroidDeliveryDataJson } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { PARQUET_COLUMNS, writeParquet } from "./parquet.js";

let directory: string;
beforeEach(async () => {
  directory = await testDirectory();
});

async function* pagesOf(...pages: AndroidDeliveryDataJson[][]): AsyncGenerator<AndroidDeliveryDataJson[]> {
  yield* pages;
}

const ENTRY: AndroidDeliveryDataJson = {
  appId: "1:1:android:1",
  date: { year: 2026, month: 3, day: 8 },
  analyticsLabel: "promo",
  data: {
    countMessagesAccepted: "3",
    countNotificationsAccepted: "2",
    messageOutcomePercents: { delivered: 100 / 3, pending: 200 / 3 },
    deliveryPerformancePercents: { delayedDeviceDoze: 100 / 3 },
    messageInsightPercents: {},
    proxyNotificationInsightPercents: { proxied: 50 },
  },
};
const WITHOUT_NOTIFICATIONS: AndroidDeliveryDataJson = {
  appId: "app with 'quotes'",
  date: { year: 2026, month: 3, day: 7 },
  data: { countMessagesAccepted: "1", messageOutcomePercents: { delivered: 100 } },
};

it("writeParquet writes typed entries, in order", async () => {
  const file = join(directory, "it's.parquet");
  expect(await writeParquet(pagesOf([ENTRY], [], [WITHOUT_NOTIFICATIONS]), file)).toBe(2);
  const source = `'${file.replaceAll("'", "''")}'`;
  const described = await queryDuckDb(`DESCRIBE SELECT * FROM ${source}`);
  expect(described.map(([name, type]) => [name, type])).toEqual(
    PARQUET_COLUMNS.map(({ name, type }) => [name, type]),
  );
  expect(
    await queryDuckDb(`SELECT app_id, date, analytics_label, count_messages_accepted, count_notifications_accepted,
      delivered, delivered_percent, pending, collapsed, collapsed_percent, delayed_device_doze, priority_lowered,
      proxied, proxied_percent, failed FROM ${source}`),
  ).toEqual([
    ["1:1:android:1", "2026-03-08", "promo", "3", "2", "1", 100 / 3, "2", "0", 0, "1", "0", "1", 50, "0"],
    ["app with 'quotes'", "2026-03-07", "", "1", "0", "1", 100, "0", "0", 0, null, null, null, null, null],
  ]);
  expect(await readdir(directory)).toEqual(["it's.parquet"]);
});

it("writeParquet writes NULL for omitted figures of a mirrored entry, and the first day of a partial date", async () => {
  const file = join(directory, "mirrored.parquet");
  const entries: AndroidDeliveryDataJson[] = [
    { appId: "app", date: { year: 2026, month: 3, day: 8 }, data: {} },
    { appId: "app", date: { year: 2026, month: 3 } },
    {
      appId: "app",
      date: { year: 2026 },
      data: {
        messageOutcomePercents: { delivered: 33.3 },
        proxyNotificationInsightPercents: { proxied: 50 },
      },
    },
  ];
  await writeParquet(pagesOf(entries), file);
  expect(
    await queryDuckDb(`SELECT date, count_messages_accepted, count_notifications_accepted, delivered, delivered_percent,
      pending_percent, delayed_device_doze, proxied, proxied_percent FROM '${file}'`),
  ).toEqual([
    ["2026-03-08", null, null, null, null, null, null, null, null],
    ["2026-03-01", null, null, null, null, null, null, null, null],
    ["2026-01-01", null, null, null, 33.3, 0, null, null, 50],
  ]);
});

it("writeParquet writes a file without rows if there are no entries", async () => {
  const file = join(directory, "empty.parquet");
  await writeParquet(pagesOf(), file);
  expect(await queryDuckDb(`SELECT count(*) FROM '${file}'`)).toEqual([["0"]]);
});

it("writeParquet leaves no file behind if reading entries fails", async () => {
  async function* failing(): AsyncGenerator<AndroidDeliveryDataJson[]> {
    yield [ENTRY];
    throw new Error("the connection was lost");
  }
  await expect(writeParquet(failing(), join(directory, "x.parquet"))).rejects.toThrow("connection was lost");
  expect(await readdir(directory)).toEqual([]);
});

it.each([
  [
    "a file in a missing directory",
    "missing/x.parquet",
    /^--out \S+missing\/x\.parquet: there is no such file or directory$/,
  ],
  ["a directory", ".", /^--out .* is a directory; name a file$/],
])("writeParquet rejects %s before it reads entries", async (_, name, message) => {
  let read = false;
  async function* reading(): AsyncGenerator<AndroidDeliveryDataJson[]> {
    read = true;
    yield [ENTRY];
  }
  await expect(writeParquet(reading(), join(directory, name))).rejects.toThrow(message);
  expect(read).toBe(false);
});

it("writeParquet computes the exact count for every percentage", () => {
  const delivered = PARQUET_COLUMNS.find(({ name }) => name === "delivered");
  const counts = fc
    .bigInt({ min: 1n, max: 2n ** 48n })
    .chain((accepted) => fc.tuple(fc.constant(accepted), fc.bigInt({ min: 0n, max: accepted })));
  fc.assert(
    fc.property(counts, ([accepted, count]) => {
      const percent = (100 * Number(count)) / Number(accepted);
      const data = {
        countMessagesAccepted: String(accepted),
        messageOutcomePercents: { delivered: percent },
      };
      expect(delivered?.value({ data })).toBe(count);
    }),
  );
});
