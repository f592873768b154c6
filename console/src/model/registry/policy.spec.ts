import { describe, expect, it } from "vitest";
import { grantIn, policyJsonOf, policyOf, withChange } from "./policy.js";

const POLICY = policyOf({
  bindings: [
    { role: "roles/viewer", members: ["user:b@example.com", "user:a@example.com"] },
    { role: "roles/owner", members: ["user:o@example.com"] },
  ],
  provisionedBindings: [{ role: "roles/owner", members: ["user:o@example.com"] }],
  etag: "AbC=",
});

describe("policyOf", () => {
  it("lists the highest role first, then by member, and marks grants of the config file", () => {
    expect(POLICY.grants).toEqual([
      { role: "owner", member: "user:o@example.com", isOfFile: true },
      { role: "viewer", member: "user:a@example.com", isOfFile: false },
      { role: "viewer", member: "user:b@example.com", isOfFile: false },
    ]);
  });

  it("rejects an unknown role", () => {
    expect(() => policyOf({ bindings: [{ role: "roles/root", members: ["user:a@example.com"] }] })).toThrow(
      "unknown role roles/root",
    );
  });
});

describe("policyJsonOf", () => {
  const viewer = { role: "viewer", member: "user:a@example.com" } as const;

  it("sends all grants with the etag that was read", () => {
    expect(policyJsonOf(POLICY, POLICY.grants)).toEqual({
      version: 1,
      etag: "AbC=",
      bindings: [
        { role: "roles/owner", members: ["user:o@example.com"] },
        { role: "roles/viewer", members: ["user:a@example.com", "user:b@example.com"] },
      ],
    });
  });

  it("replaces a role, and sends a member once for each role", () => {
    const add = { role: "owner", member: "user:o@example.com" } as const;
    const { bindings } = policyJsonOf(POLICY, withChange(POLICY, { without: viewer, add }));
    expect(bindings).toEqual([
      { role: "roles/owner", members: ["user:o@example.com"] },
      { role: "roles/viewer", members: ["user:b@example.com"] },
    ]);
  });

  it("omits a role without members", () => {
    expect(policyJsonOf(POLICY, []).bindings).toEqual([]);
  });

  it("finds a grant by role and member", () => {
    expect(grantIn(POLICY, viewer)).toMatchObject({ isOfFile: false });
    expect(grantIn(POLICY, { ...viewer, role: "editor" })).toBeUndefined();
  });
});
