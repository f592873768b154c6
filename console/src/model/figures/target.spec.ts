import { expect, test } from "vitest";
import { resultRank, targetFor, targetOf, targetScopeOf } from "./target.js";

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
  expect(targetFor(TARGETS, targetScopeOf({ app: "shop", labels }))?.delivered).toBe(delivered);
});

const EVALUATED = { appId: "shop", deliveredPercent: 85, evaluatedDate: { year: 2026, month: 11, day: 24 } };

test("targetOf explains the result with the evaluated day, also if nothing was delivered", () => {
  const missed = targetOf({ ...EVALUATED, state: "MISSED", acceptedMessageCount: "1200" });
  expect(missed.explanation).toBe("0.0% delivered of 1,200 messages on Nov 24, 2026.");
  const met = targetOf({ ...EVALUATED, state: "MET", observedPercent: 91.25, acceptedMessageCount: "400" });
  expect(met.explanation).toBe("91.3% delivered of 400 messages on Nov 24, 2026.");
  const few = targetOf({ ...EVALUATED, state: "TOO_FEW_MESSAGES", acceptedMessageCount: "3" });
  expect(few.explanation).toBe("Only 3 messages on Nov 24, 2026: too few for a reliable share.");
});

test("resultRank puts missed targets before met ones, and has no rank for targets without a result", () => {
  const rank = (state?: "MISSED" | "MET" | "TOO_FEW_MESSAGES") =>
    resultRank(targetOf({ ...EVALUATED, ...(state !== undefined && { state }) }));
  expect([rank("MISSED"), rank("TOO_FEW_MESSAGES"), rank("MET"), rank()]).toEqual([0, 1, 2, undefined]);
  expect(resultRank(undefined)).toBeUndefined();
});
