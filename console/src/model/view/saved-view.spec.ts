import { expect, test } from "vitest";
import { savedQueryOf, savedViewOf } from "./saved-view.js";
import { viewOf } from "./view-address.js";

const QUERY = "app=1%3A5%3Aandroid%3Add&tab=labels&days=7&label=promo+a&label=&sort=-failed";

test("savedQueryOf omits the project and the page number", () => {
  expect(savedQueryOf(viewOf(`?project=shop&${QUERY}&page=3`))).toBe(QUERY);
  expect(savedQueryOf(viewOf("?project=shop"))).toBe("");
});

test("savedViewOf returns the saved choices in the project", () => {
  const json = { name: "projects/7/views/a", etag: "e", displayName: "Promo", query: QUERY };
  expect(savedViewOf(json, "shop")).toEqual({
    name: "projects/7/views/a",
    etag: "e",
    title: "Promo",
    view: viewOf(`?project=shop&${QUERY}`),
  });
});

test("savedViewOf ignores unknown parameters and other projects", () => {
  expect(savedViewOf({ query: "tab=none&other=1&project=else" }, "shop").view).toEqual(
    viewOf("?project=shop"),
  );
});
