import fc from "fast-check";
import { expect, test } from "vitest";
import type { DeliveryGroup } from "#console/api/waybill-api.js";
import type { Incident } from "./incident.js";
import { labelRowsOf } from "./label-row.js";
import { fall } from "./testing/fall.js";

const group = (label: string, counts: DeliveryGroup["counts"]): DeliveryGroup => ({
  day: undefined,
  app: undefined,
  label,
  counts,
});

test("labelRowsOf computes each label's share of undelivered and accepted messages", () => {
  const rows = labelRowsOf(
    [
      group("a", { countMessagesAccepted: 150, delivered: 140 }),
      group("", {
        countMessagesAccepted: 50,
        delivered: 20,
        droppedTtlExpired: 10,
        droppedDeviceInactive: 5,
        pending: 5,
      }),
    ],
    [],
  );
  expect(rows).toMatchObject([
    { label: "", undelivered: 30, undeliveredShare: 75, acceptedShare: 25, dropped: 15, unaccounted: 10 },
    { label: "a", undelivered: 10, undeliveredShare: 25, acceptedShare: 75, dropped: 0, unaccounted: 10 },
  ]);
});

const incident = (label: string | undefined, excess: number, more: Partial<Incident> = {}) =>
  fall({ label, excess, firstDay: 1, lastDay: 1, observed: 80, ...more });

test("labelRowsOf adds up excess messages in each label's incidents, without app-wide incidents", () => {
  const rows = labelRowsOf(
    ["", "a", "b"].map((label) => group(label, { countMessagesAccepted: 1 })),
    [incident("a", 5), incident(undefined, 100), incident("", 1), incident("a", 7)],
  );
  expect(rows.map(({ label, excess }) => [label, excess])).toEqual([
    ["", 1],
    ["a", 12],
    ["b", 0],
  ]);
});

test("labelRowsOf reads the usual share from usual days, or else from the label's latest incident", () => {
  const labels = ["fell", "rose", "steady", "new"];
  const rows = labelRowsOf(
    labels.map((label) => group(label, { countMessagesAccepted: 1 })),
    [
      incident("fell", 1, { firstDay: 5, usual: 70 }),
      incident("fell", 1, { firstDay: 2, usual: 90 }),
      incident("rose", 1, { outcome: "PENDING", usual: 3 }),
    ],
    ["rose", "steady"].map((label) => group(label, { countMessagesAccepted: 4, delivered: 2 })),
  );
  expect(rows.map(({ usual }) => usual)).toEqual([70, 50, 50, undefined]);
});

test("labelRowsOf shows the clean usual share of a label with a dip", () => {
  const rows = labelRowsOf(
    [group("chat", { countMessagesAccepted: 1_000, delivered: 790 })],
    [incident("chat", 50, { usual: 84.4 })],
    [group("chat", { countMessagesAccepted: 1_000, delivered: 857 })],
  );
  expect(rows.map(({ usual }) => usual)).toEqual([85.7]);
});

test("labelRowsOf returns no undelivered share if everything was delivered", () => {
  const [row] = labelRowsOf([group("a", { countMessagesAccepted: 3, delivered: 3 })], []);
  expect(row).toMatchObject({ undelivered: 0, undeliveredShare: undefined });
});

test("labelRowsOf returns shares that add up to 100 percent", () => {
  const counts = fc
    .tuple(fc.nat(1_000_000), fc.nat(1_000_000))
    .map(([delivered, missing]) => ({ countMessagesAccepted: delivered + missing + 1, delivered }));
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 50 }), (many) => {
      const rows = labelRowsOf(
        many.map((each, index) => group(String(index), each)),
        [],
      );
      const sum = (parts: readonly (number | undefined)[]): number =>
        parts.reduce<number>((a, b) => a + (b ?? 0), 0);
      expect(sum(rows.map(({ undeliveredShare }) => undeliveredShare))).toBeCloseTo(100);
      expect(sum(rows.map(({ acceptedShare }) => acceptedShare))).toBeCloseTo(100);
    }),
  );
});
