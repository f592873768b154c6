import { expect, test } from "vitest";
import type { AndroidDeliveryDataJson } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { FORMATS } from "./formats.js";

const date = { year: 2026, month: 11, day: 14 };
/** A complete entry, and incomplete ones as found in a mirror. */
const ENTRIES: readonly AndroidDeliveryDataJson[] = [
  {
    appId: "app",
    date,
    data: {
      countMessagesAccepted: "4",
      messageOutcomePercents: { delivered: 75 },
      deliveryPerformancePercents: {},
      messageInsightPercents: {},
    },
  },
  { appId: "app", date, analyticsLabel: "suppressed", data: {} },
  { appId: "app", date, analyticsLabel: "without-data" },
  {
    appId: "app",
    date: { year: 2026, month: 11 },
    analyticsLabel: "without-counts",
    data: { messageOutcomePercents: { delivered: 33.3 }, proxyNotificationInsightPercents: {} },
  },
];

async function formatted(format: "table" | "csv"): Promise<readonly string[]> {
  async function* pages(): AsyncGenerator<readonly AndroidDeliveryDataJson[]> {
    yield ENTRIES;
  }
  let text = "";
  for await (const part of FORMATS[format](pages(), {
    width: undefined,
    onOmitted: () => {},
    manyApps: false,
  }))
    text += part;
  return text.trimEnd().split(/\r?\n/);
}

test("the table format shows a dash for an unknown figure", async () => {
  const [, ...rows] = await formatted("table");
  expect(rows.map((row) => row.split(/\s{2,}/))).toEqual([
    ["2026-11-14", "(no label)", "4", "75.00", "0.00", "0.00", "0.00", "0.00", "0"],
    ["2026-11-14", "suppressed", ...Array(7).fill("-")],
    ["2026-11-14", "without-data", ...Array(7).fill("-")],
    ["2026-11", "without-counts", "-", "33.30", "0.00", "0.00", "0.00", "-", "-"],
  ]);
});

test("the CSV format leaves the cell for an unknown figure empty", async () => {
  const [head = "", ...rows] = await formatted("csv");
  const names = head.split(",");
  const shown = ["date", "countMessagesAccepted", "countNotificationsAccepted"];
  shown.push("messageOutcomePercents.delivered", "messageOutcomePercents.pending");
  shown.push("deliveryPerformancePercents.deliveredNoDelay", "proxyNotificationInsightPercents.failed");
  const cells = rows.map((row) => shown.map((name) => row.split(",")[names.indexOf(name)]));
  expect(cells).toEqual([
    ["2026-11-14", "4", "0", "75", "0", "0", ""],
    ["2026-11-14", "", "", "", "", "", ""],
    ["2026-11-14", "", "", "", "", "", ""],
    ["2026-11", "", "", "33.3", "0", "", "0"],
  ]);
});
