import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DeliveryCountsSchema,
  DeliveryPerformancePercentsSchema,
  MessageInsightPercentsSchema,
  MessageOutcomePercentsSchema,
  ProxyNotificationInsightPercentsSchema,
} from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { denominatorOf } from "#src/model/event-types.js";
import { CATEGORY_GROUPS, OUTCOMES, shareOf, unaccountedOf } from "./categories.js";
import { type CountName, countsOf, sumOf } from "./counts.js";

const NAMES = DeliveryCountsSchema.fields.map(({ jsonName }) => jsonName as CountName);

describe("the categories", () => {
  it("match the contract, including order", () => {
    const groups = [
      MessageOutcomePercentsSchema,
      DeliveryPerformancePercentsSchema,
      MessageInsightPercentsSchema,
      ProxyNotificationInsightPercentsSchema,
    ].map((group) => ({
      denominator: denominatorOf(group).jsonName,
      names: group.fields.map(({ jsonName }) => jsonName),
    }));
    const shown = CATEGORY_GROUPS.map(({ denominator, categories }) => ({
      denominator,
      names: categories.map(({ name }) => name),
    }));
    expect(shown).toEqual(groups);
  });

  it("have distinct colors within each group", () => {
    for (const { categories } of CATEGORY_GROUPS) {
      expect(new Set(categories.map(({ color }) => color)).size).toBe(categories.length);
    }
  });
});

describe("totals", () => {
  const days = fc.array(
    fc.array(fc.nat(1_000_000), { minLength: 7, maxLength: 7 }).map((parts) => {
      const counts = Object.fromEntries(
        OUTCOMES.categories.map(({ name }, index) => [name, parts[index] ?? 0]),
      );
      return { ...counts, countMessagesAccepted: parts.reduce((a, b) => a + b) + 10 };
    }),
    { minLength: 1 },
  );

  it("weight days by counts and, with unaccounted messages, add up to 100 percent", () => {
    fc.assert(
      fc.property(days, (days) => {
        const total = sumOf(days);
        const shares = OUTCOMES.categories.map(({ name }) => shareOf(total, OUTCOMES, name) ?? 0);
        const accepted = total.countMessagesAccepted ?? 0;
        const all = shares.reduce((a, b) => a + b) + (100 * unaccountedOf(total, OUTCOMES)) / accepted;
        expect(all).toBeCloseTo(100, 6);
        expect(unaccountedOf(total, OUTCOMES)).toBe(10 * days.length);
      }),
    );
  });

  it("have no share if the denominator is 0", () => {
    expect(shareOf({}, OUTCOMES, "delivered")).toBeUndefined();
  });

  it("keep every digit in the service's text", () => {
    const json = Object.fromEntries(NAMES.map((name, index) => [name, String(2 ** 52 + index)]));
    expect(countsOf(json)).toEqual(Object.fromEntries(NAMES.map((name, index) => [name, 2 ** 52 + index])));
  });
});
