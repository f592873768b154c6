import { describe, expect, it } from "vitest";
import type { Project } from "#console/api/waybill-api.js";
import { projectOptions } from "./project-options.js";

const project = (id: string, number: string): Project => ({ id, number, isMirrored: false });
const PROJECTS = [
  project("shop-10", "1"),
  project("shop-9", "2"),
  project("admin", "3"),
  project("new", "4"),
];

describe("projectOptions", () => {
  it("lists visited projects first, then the others by name", () => {
    const names = new Map([["admin", "Zoo"]]);
    const options = projectOptions(PROJECTS, names, ["gone", "new"]);
    expect(options).toEqual([
      { value: "new", text: "new", names: ["4"] },
      { value: "shop-9", text: "shop-9", names: ["2"] },
      { value: "shop-10", text: "shop-10", names: ["1"] },
      { value: "admin", text: "Zoo", names: ["admin", "3"] },
    ]);
  });

  it("names a project once if its display name is its id", () => {
    expect(projectOptions([project("shop", "1")], new Map([["shop", "shop"]]), [])).toEqual([
      { value: "shop", text: "shop", names: ["1"] },
    ]);
  });
});
