import { describe, expect, it } from "vitest";
import { withMembers, withoutMembers } from "./policy-change.js";

const ADA = "user:ada@example.com";
const BOB = "user:bob@example.com";
const BINDINGS = [
  { role: "roles/editor", members: [ADA] },
  { role: "roles/owner", members: [ADA, BOB] },
];

describe("withMembers", () => {
  it("adds only members that do not have the role", () => {
    expect(withMembers(BINDINGS, "roles/editor", [ADA, BOB, BOB])).toEqual([
      ...BINDINGS,
      { role: "roles/editor", members: [BOB] },
    ]);
  });

  it("returns the same bindings if all members have the role", () => {
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

  it("removes members from all roles, and roles without members", () => {
    expect(withoutMembers(BINDINGS, undefined, [ADA])).toEqual([{ role: "roles/owner", members: [BOB] }]);
  });

  it("returns the same bindings if no member has the role", () => {
    expect(withoutMembers(BINDINGS, "roles/editor", [BOB])).toBe(BINDINGS);
  });
});
