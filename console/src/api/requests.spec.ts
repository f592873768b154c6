import { describe, expect, it, test } from "vitest";
import { dayOfCivil } from "../../../src/model/day.js";
import { type EntriesSelection, entriesRequest, filterOf, groupsRequest } from "./requests.js";

const SELECTION: EntriesSelection = {
  project: "shop",
  app: "1:123:android:0a/b",
  range: { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 7) },
  labels: undefined,
};
const DATES = 'date >= "2025-03-01" AND date <= "2025-03-07"';

describe("the filter", () => {
  test.each<[labels: readonly string[] | undefined, filter: string]>([
    [undefined, DATES],
    [["spring"], `${DATES} AND analyticsLabel = "spring"`],
    [[""], `${DATES} AND analyticsLabel = ""`],
    [["", "a", "b"], `${DATES} AND analyticsLabel = ("" OR "a" OR "b")`],
  ])("of the labels %j", (labels, filter) => {
    expect(filterOf({ ...SELECTION, labels })).toBe(filter);
  });

  test.each<[label: string]>([['x" OR analyticsLabel != "x'], ["*"], ["a\\"]])(
    "has nothing in it of %j, which no label is",
    (label) => {
      expect(filterOf({ ...SELECTION, labels: ["a", label] })).toBe(`${DATES} AND analyticsLabel = "a"`);
    },
  );

  it("selects nothing if none of the labels can be one", () => {
    expect(filterOf({ ...SELECTION, labels: ['"'] })).toBe(
      `${DATES} AND analyticsLabel = "" AND analyticsLabel:*`,
    );
  });
});

describe("a request", () => {
  const url = (path: string): URL => new URL(path, "http://any");

  it("for entries names the app in one segment of the path", () => {
    const { pathname, searchParams } = url(
      entriesRequest({ ...SELECTION, pageSize: 100, pageToken: "t+/=" }),
    );
    expect(pathname).toBe("/v1beta1/projects/shop/androidApps/1%3A123%3Aandroid%3A0a%2Fb/deliveryData");
    expect(Object.fromEntries(searchParams)).toEqual({ filter: DATES, pageSize: "100", pageToken: "t+/=" });
  });

  it("for sums says each dimension", () => {
    const { pathname, searchParams } = url(
      groupsRequest({ ...SELECTION, groupBy: ["DATE", "ANALYTICS_LABEL"] }),
    );
    expect(pathname).toMatch(/\/deliveryData:aggregate$/);
    expect(searchParams.getAll("groupBy")).toEqual(["DATE", "ANALYTICS_LABEL"]);
  });
});
