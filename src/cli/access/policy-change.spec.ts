import { describe, expect, it } from "vitest";
import { withMembers, withoutMembers } from "./policy-change.js";

const ADA = "user:ada@example.com";
const BOB = "user:bob@example.com";
const BINDINGS = [
  { role: "roles/editor", members: [ADA] },
  { role: "roles/owner", members: [ADA, BOB] },
];

describe("withMembers", () => {
  it("adds only the members that do not have the role yet", () => {
    expect(withMembers(BINDINGS, "roles/editor", [ADA, BOB, BOB])).toEqual([
      ...BINDINGS,
      { role: "roles/editor", members: [BOB] },
    ]);
  });

  it("returns the same array if all members already have the role", () => {
    expect(withMembers(BINDINGS, "roles/owner", [ADA, BOB])).toBe(BINDINGS);
  });
});

describe("withoutMembers", () => {
  it("removes members from one role", () => {
    expect(withoutMembers(BINDINGS, "roles/owner", [ADA])).toEqual([
      { role: "roles/editor", members: [ADA] },
      { role: "roles/owner", members: [BOB] },
    ]);
  });

  it("removes members from all roles, and then roles that have no members left", () => {
    expect(withoutMembers(BINDINGS, undefined, [ADA])).toEqual([{ role: "roles/owner", members: [BOB] }]);
  });

  it("returns the same array if no member has the role", () => {
    expect(withoutMembers(BINDINGS, "roles/editor", [BOB])).toBe(BINDINGS);
  });
});
