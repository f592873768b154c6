import { describe, expect, it } from "vitest";
import { dayOfCivil } from "#src/model/day.js";
import { type EntriesSelection, entriesRequest, incidentsOf, listOf, sumsOf } from "./requests.js";

const SELECTION: EntriesSelection = {
  project: "shop",
  app: "1:123:android:0a b",
  range: { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 7) },
  labels: undefined,
};
const DATES = 'date >= "2025-03-01" AND date <= "2025-03-07"';

describe("client requests", () => {
  it("encode the app as one path segment", () => {
    const { pathname, searchParams } = new URL(
      entriesRequest({ ...SELECTION, pageSize: 100, pageToken: "t+/=" }),
      "http://any",
    );
    expect(pathname).toBe("/v1beta1/projects/shop/androidApps/1%3A123%3Aandroid%3A0a%20b/deliveryData");
    expect(Object.fromEntries(searchParams)).toEqual({ filter: DATES, pageSize: "100", pageToken: "t+/=" });
  });

  it("select the same entries for lists and sums", () => {
    const selected = { project: SELECTION.project, app: SELECTION.app, filter: DATES };
    expect(listOf({ ...SELECTION, pageSize: 100 })).toEqual({ ...selected, pageSize: 100 });
    const groupBy = ["DATE", "ANALYTICS_LABEL"] as const;
    expect(sumsOf({ ...SELECTION, groupBy })).toEqual({ ...selected, groupBy });
  });

  it("select incidents that overlap the range, for the labels and the whole app", () => {
    expect(incidentsOf({ ...SELECTION, labels: ["", "a"] })).toEqual({
      project: SELECTION.project,
      app: SELECTION.app,
      filter:
        'startDate <= "2025-03-07" AND (endDate >= "2025-03-01" OR NOT endDate:*) AND (wholeApp = true OR (analyticsLabel = ("" OR "a")))',
    });
    expect(incidentsOf(SELECTION).filter).toBe(
      'startDate <= "2025-03-07" AND (endDate >= "2025-03-01" OR NOT endDate:*)',
    );
  });
});
