import { WaybillClient } from "@waybill/client";
import { expect, test } from "vitest";
import { rangeBefore } from "../../model/day.js";
import { endsOf, readRange } from "./day-range.js";

// Nothing listens at this address, because an explicit range needs no call.
const client = new WaybillClient({ token: "t", messagingDataUrl: "http://127.0.0.1:9" });
const reading = { client, project: "p", signal: new AbortController().signal };

test.each([
  [{ from: "2026-03-01", to: "2026-03-03" }, ["2026-03-01", "2026-03-03"], ["2026-02-26", "2026-02-28"]],
  [{ to: "2026-03-03" }, ["2026-02-25", "2026-03-03"], ["2026-02-18", "2026-02-24"]],
])(
  "readRange returns the range %j, and rangeBefore the range of equal length before it",
  async (ends, range, before) => {
    const days = await readRange("a", ends, reading);
    expect(endsOf(days)).toEqual({ from: range[0], to: range[1] });
    expect(endsOf(rangeBefore(days))).toEqual({ from: before[0], to: before[1] });
  },
);

test.each([
  [{ from: "2026-03-02", to: "2026-03-01" }, /2026-03-02, is after the last, 2026-03-01/],
  [{ from: "2025-03-01", to: "2026-03-02" }, /367 days are too many; the maximum is 366/],
])("readRange rejects the range %j", async (ends, message) => {
  await expect(readRange("a", ends, reading)).rejects.toThrow(message);
});
