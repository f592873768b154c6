import fc from "fast-check";
import { expect, test } from "vitest";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import { labelRowsOf } from "./label-row.js";

const group = (label: string, counts: DeliveryGroup["counts"]): DeliveryGroup => ({
  day: undefined,
  label,
  counts,
});

test("labelRowsOf computes each label's share of undelivered and of accepted messages", () => {
  const rows = labelRowsOf([
    group("", {
      countMessagesAccepted: 50,
      delivered: 20,
      droppedTtlExpired: 10,
      droppedDeviceInactive: 5,
      pending: 5,
    }),
    group("a", { countMessagesAccepted: 150, delivered: 140 }),
  ]);
  expect(rows).toMatchObject([
    { label: "", undelivered: 30, undeliveredShare: 75, acceptedShare: 25, dropped: 15, unaccounted: 10 },
    { label: "a", undelivered: 10, undeliveredShare: 25, acceptedShare: 75, dropped: 0, unaccounted: 10 },
  ]);
});

test("labelRowsOf leaves the undelivered share undefined if everything was delivered", () => {
  const [row] = labelRowsOf([group("a", { countMessagesAccepted: 3, delivered: 3 })]);
  expect(row).toMatchObject({ undelivered: 0, undeliveredShare: undefined });
});

test("labelRowsOf returns shares that add up to 100 percent", () => {
  const counts = fc
    .tuple(fc.nat(1_000_000), fc.nat(1_000_000))
    .map(([delivered, missing]) => ({ countMessagesAccepted: delivered + missing + 1, delivered }));
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 50 }), (many) => {
      const rows = labelRowsOf(many.map((each, index) => group(String(index), each)));
      const sum = (parts: readonly (number | undefined)[]): number =>
        parts.reduce<number>((a, b) => a + (b ?? 0), 0);
      expect(sum(rows.map(({ undeliveredShare }) => undeliveredShare))).toBeCloseTo(100);
      expect(sum(rows.map(({ acceptedShare }) => acceptedShare))).toBeCloseTo(100);
    }),
  );
});
