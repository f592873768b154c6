import { describe, expect, it } from "vitest";
import { evaluatedDays } from "./project-days.js";

const UNTIL = 20_000;

/** Messages of the last 60 days, by number of days before {@link UNTIL}. Days with none are absent. */
const messages = (countOf: (daysAgo: number) => number) =>
  new Map(
    Array.from({ length: 60 }, (_, daysAgo) => [UNTIL - daysAgo, countOf(daysAgo)] as const).filter(
      ([, count]) => count > 0,
    ),
  );

describe("evaluatedDays", () => {
  it("includes the last listed day if it has about as many messages as usual", () => {
    expect(
      evaluatedDays(
        messages(() => 100),
        UNTIL,
      ).lastDay,
    ).toBe(UNTIL);
    expect(
      evaluatedDays(
        messages((daysAgo) => (daysAgo === 0 ? 60 : 100)),
        UNTIL,
      ).lastDay,
    ).toBe(UNTIL);
  });

  it("waits for the next day if the last day's import may not be complete", () => {
    for (const last of [0, 5, 40]) {
      const found = evaluatedDays(
        messages((daysAgo) => (daysAgo === 0 ? last : 100)),
        UNTIL,
      );
      expect(found.lastDay).toBe(UNTIL - 1);
    }
  });

  it("compares the last day with the same weekday", () => {
    const weekly = messages((daysAgo) => (daysAgo % 7 === 0 ? 10 : 1_000));
    expect(evaluatedDays(weekly, UNTIL).lastDay).toBe(UNTIL);
  });

  it("finds the days without messages in the whole project", () => {
    const { isEmpty, digest } = evaluatedDays(
      messages((daysAgo) => (daysAgo === 9 ? 0 : 100)),
      UNTIL,
    );
    expect([isEmpty(UNTIL - 9), isEmpty(UNTIL - 8)]).toEqual([true, false]);
    expect(digest).not.toBe(
      evaluatedDays(
        messages(() => 100),
        UNTIL,
      ).digest,
    );
    expect(digest).toBe(
      evaluatedDays(
        messages((daysAgo) => (daysAgo === 9 ? 0 : 200)),
        UNTIL,
      ).digest,
    );
  });
});
