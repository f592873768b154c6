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

describe("filterOf", () => {
  test.each<[labels: readonly string[] | undefined, filter: string]>([
    [undefined, DATES],
    [["spring"], `${DATES} AND analyticsLabel = "spring"`],
    [[""], `${DATES} AND analyticsLabel = ""`],
    [["", "a", "b"], `${DATES} AND analyticsLabel = ("" OR "a" OR "b")`],
  ])("selects the labels %j", (labels, filter) => {
    expect(filterOf({ ...SELECTION, labels })).toBe(filter);
  });

  test.each<[label: string]>([['x" OR analyticsLabel != "x'], ["*"], ["a\\"]])(
    "leaves out %j, which cannot be a label",
    (label) => {
      expect(filterOf({ ...SELECTION, labels: ["a", label] })).toBe(`${DATES} AND analyticsLabel = "a"`);
    },
  );

  it("selects nothing if no given label can exist", () => {
    expect(filterOf({ ...SELECTION, labels: ['"'] })).toBe(
      `${DATES} AND analyticsLabel = "" AND analyticsLabel:*`,
    );
  });
});

describe("the path and query of a request", () => {
  const url = (path: string): URL => new URL(path, "http://any");

  it("put the app into one path segment when asking for entries", () => {
    const { pathname, searchParams } = url(
      entriesRequest({ ...SELECTION, pageSize: 100, pageToken: "t+/=" }),
    );
    expect(pathname).toBe("/v1beta1/projects/shop/androidApps/1%3A123%3Aandroid%3A0a%2Fb/deliveryData");
    expect(Object.fromEntries(searchParams)).toEqual({ filter: DATES, pageSize: "100", pageToken: "t+/=" });
  });

  it("repeat groupBy for each dimension when asking for sums", () => {
    const { pathname, searchParams } = url(
      groupsRequest({ ...SELECTION, groupBy: ["DATE", "ANALYTICS_LABEL"] }),
    );
    expect(pathname).toMatch(/\/deliveryData:aggregate$/);
    expect(searchParams.getAll("groupBy")).toEqual(["DATE", "ANALYTICS_LABEL"]);
  });
});
