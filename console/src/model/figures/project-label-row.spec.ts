import { describe, expect, it } from "vitest";
import { projectLabelRowsOf } from "./project-label-row.js";
import { fall } from "./testing/fall.js";

const sum = (label: string, accepted: number, delivered: number) => ({
  label,
  counts: { countMessagesAccepted: accepted, delivered },
});

const incident = (app: string, label: string | undefined, excess: number) => fall({ app, label, excess });

describe("projectLabelRowsOf", () => {
  const now = [sum("news", 500, 450), sum("promo", 200, 100), sum("", 10, 9)];
  const before = [sum("promo", 200, 180), sum("", 99, 99)];

  it("returns one row for a label that fell in several apps, worst first", () => {
    const ongoing = [incident("a", "promo", 5), incident("b", "promo", 30), incident("c", undefined, 99)];
    expect(projectLabelRowsOf(now, before, [...ongoing, incident("b", "promo", 2)])).toEqual([
      {
        label: "promo",
        accepted: 200,
        delivered: 50,
        change: -40,
        isUncertain: false,
        troubled: ["b", "a"],
        excess: 37,
      },
      {
        label: "news",
        accepted: 500,
        delivered: 90,
        change: undefined,
        isUncertain: true,
        troubled: [],
        excess: 0,
      },
      { label: "", accepted: 10, delivered: 90, change: -10, isUncertain: true, troubled: [], excess: 0 },
    ]);
  });

  it("does not wait for incidents", () => {
    const rows = projectLabelRowsOf(now, before, undefined);
    expect(rows.map(({ label, troubled }) => [label, troubled])).toEqual([
      ["news", undefined],
      ["promo", undefined],
      ["", undefined],
    ]);
  });
});
