import { expect, test } from "vitest";
import { visitsOf, withVisit } from "./visits.js";

test.each([
  { visits: [], app: "a", after: ["a"] },
  { visits: ["a", "b"], app: "c", after: ["c", "a", "b"] },
  { visits: ["a", "b", "c"], app: "b", after: ["b", "a", "c"] },
])("withVisit moves $app to the front of $visits", ({ visits, app, after }) => {
  expect(withVisit(visits, app)).toEqual(after);
});

test("withVisit deletes the oldest of many visits", () => {
  const visits = Array.from({ length: 50 }, (_, index) => `app-${index}`);
  expect(withVisit(visits, "new")).toEqual(["new", ...visits.slice(0, 49)]);
});

test.each([
  [null, []],
  ["", []],
  ["{", []],
  ['{"0":"a"}', []],
  ['["a",1,null,"b"]', ["a", "b"]],
])("visitsOf parses %j", (text, visits) => {
  expect(visitsOf(text)).toEqual(visits);
});
