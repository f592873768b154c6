import { expect, it } from "vitest";
import { lifetimeOptions } from "./lifetimes.js";

it("offers lifetimes from 30 minutes to 7 days, with the current one", () => {
  const texts = (current: string) => lifetimeOptions(current).map(({ text }) => text);
  expect(texts("3600s")).toEqual([
    ...["30 minutes", "1 hour", "2 hours", "4 hours", "12 hours", "1 day", "3 days", "7 days"],
  ]);
  expect(texts("5400.5s")).toContain("1 hour 30 minutes 0.5 seconds");
});
