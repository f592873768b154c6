import { expect, test } from "vitest";
import { targetFor, targetOf } from "./target.js";

const TARGETS = [
  targetOf({ appId: "other", deliveredPercent: 70 }),
  targetOf({ appId: "shop", deliveredPercent: 85 }),
  targetOf({ appId: "shop", analyticsLabel: "", deliveredPercent: 80 }),
  targetOf({ appId: "shop", analyticsLabel: "promo", deliveredPercent: 75.5 }),
];

test.each<[labels: readonly string[] | undefined, delivered: number | undefined]>([
  [undefined, 85],
  [[""], 80],
  [["promo"], 75.5],
  [["news"], undefined],
  [["promo", "news"], undefined],
])("targetFor returns the target for the labels %j", (labels, delivered) => {
  expect(targetFor(TARGETS, { app: "shop", labels })?.delivered).toBe(delivered);
});
