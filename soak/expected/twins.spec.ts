import { describe, expect, it, test } from "vitest";
import type { Page } from "../callers/caller.js";
import { Twins } from "./twins.js";

/** A server's list with these message counts for each label. */
function page(...counts: number[]): Page {
  const androidDeliveryData = counts.map((count, index) => ({
    analyticsLabel: "abcdefgh"[index] ?? "",
    data: { countMessagesAccepted: String(count), messageOutcomePercents: { delivered: 100 } },
  }));
  return { androidDeliveryData };
}

const all = (count: number): Page => page(...Array<number>(8).fill(count));

function sent(imports: number): Twins {
  const twins = new Twins("project", "app");
  for (let index = 0; index < imports; index++) twins.next();
  return twins;
}

it("Twins counts the imports on a page, starting at zero", () => {
  const twins = sent(2);
  expect([page(), all(1), all(1), all(2)].map((each) => twins.countIn(each))).toEqual([0, 1, 1, 2]);
});

describe("Twins finds", () => {
  test.each<[what: string, pages: Page[], message: RegExp]>([
    ["a label that is behind", [page(2, 2, 2, 2, 2, 2, 2, 1)], /a part of an import/],
    ["a label that is missing", [page(2, 2, 2, 2, 2, 2, 2)], /a part of an import/],
    ["imports that nobody sent", [all(3)], /3 imports .* 2 were sent/],
    ["imports that are gone again", [all(2), all(1)], /1 imports .* after 2/],
  ])("%s", (_what, pages, message) => {
    const twins = sent(2);
    expect(() => pages.map((each) => twins.countIn(each))).toThrow(message);
  });

  it("a message without its outcome", () => {
    const [entry] = all(1).androidDeliveryData ?? [];
    const half = { ...entry, data: { countMessagesAccepted: "1" } };
    const [, ...others] = all(1).androidDeliveryData ?? [];
    expect(() => sent(1).countIn({ androidDeliveryData: [half, ...others] })).toThrow(/a part of an import/);
  });
});
