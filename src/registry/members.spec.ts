import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import {
  type Binding,
  checkBindings,
  grantsOf,
  identityOf,
  MAX_POLICY_MEMBERS,
  memberOf,
  roleName,
  roleOf,
  sortedBindings,
} from "./members.js";

const ISSUER = "https://accounts.example.com";
const none = () => false;

function errorOf(bindings: readonly Binding[]): ApiError {
  try {
    checkBindings(bindings, none);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the bindings were accepted");
}

describe("identityOf", () => {
  test.each([
    ["user:ada@example.com", { name: "ada@example.com" }],
    ["serviceAccount:ci@project.example.com", { name: "ci@project.example.com" }],
    [`principal:${ISSUER}#1234`, { issuer: ISSUER, subject: "1234" }],
    [`principal:${ISSUER}#a#b`, { issuer: ISSUER, subject: "a#b" }],
    [
      "principal:urn:waybill:local#ada@example.com",
      { issuer: "urn:waybill:local", subject: "ada@example.com" },
    ],
  ])("reads %s", (member, identity) => {
    expect(identityOf(member)).toEqual(identity);
  });

  test.each([
    "",
    "ada@example.com",
    "user:",
    "user:ada",
    "user:@example.com",
    "user:ada@",
    "user:ada@example.com@example.com",
    "user:ada lovelace@example.com",
    "user:ada@example.com\n",
    "user:ada\u0000@example.com",
    "user:\ud800@example.com",
    "User:ada@example.com",
    " user:ada@example.com",
    `user:${"a".repeat(65)}@example.com`,
    `user:ada@${"a".repeat(191)}`,
    "group:team@example.com",
    "domain:example.com",
    "deleted:user:ada@example.com?uid=1",
    "allUsers",
    "allAuthenticatedUsers",
    "principal:",
    "principal:#subject",
    `principal:${ISSUER}`,
    `principal:${ISSUER}#`,
    `principal:${ISSUER}#${"s".repeat(1_025)}`,
    `principal:https://${"i".repeat(2_048)}#subject`,
    "principal:issuer#\ud800",
  ])("rejects %j", (member) => {
    expect(identityOf(member)).toBeUndefined();
  });

  it("reads members that memberOf has returned", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((one) => !/\p{Cc}/u.test(one));
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress({ size: "small" }), text), (name) => {
        const identity = identityOf(memberOf(name, ISSUER));
        expect([{ name }, { issuer: ISSUER, subject: name }]).toContainEqual(identity);
      }),
    );
  });
});

describe("sortedBindings", () => {
  const bindings = fc.array(
    fc.record({
      role: fc.constantFrom("roles/viewer", "roles/editor", "roles/owner"),
      members: fc.array(fc.constantFrom("user:a@b", "user:c@d", "user:e@f")),
    }),
  );

  it("keeps all grants, lists each role and member once, and returns the same for every order", () => {
    fc.assert(
      fc.property(bindings, (given) => {
        const sorted = sortedBindings(given);
        expect(grantsOf(sorted)).toEqual(grantsOf(given));
        const roles = sorted.map(({ role }) => role);
        expect(roles).toEqual([...new Set(roles)].sort());
        for (const { members } of sorted) expect(members).toEqual([...new Set(members)].sort());
        expect(sorted.every(({ members }) => members.length > 0)).toBe(true);
        expect(sortedBindings(given.toReversed())).toEqual(sorted);
        expect(sortedBindings(sorted)).toEqual(sorted);
      }),
    );
  });
});

describe("checkBindings", () => {
  it("returns accepted bindings in sorted order, and keeps roles", () => {
    const accepted = checkBindings(
      [
        { role: "roles/viewer", members: ["user:b@x", "user:a@x", "user:b@x"] },
        { role: "roles/owner", members: [] },
        { role: "roles/editor", members: ["user:a@x"] },
      ],
      none,
    );
    expect(accepted.map((binding) => [roleOf(binding), binding.members])).toEqual([
      [Role.EDITOR, ["user:a@x"]],
      [Role.VIEWER, ["user:a@x", "user:b@x"]],
    ]);
  });

  test.each(["", "viewer", "roles/Viewer", "roles/browser", "projects/p/roles/custom", "constructor"])(
    "rejects the role %j, with its path",
    (role) => {
      const { reason, violations } = errorOf([
        { role: "roles/viewer", members: [] },
        { role, members: ["user:a@x"] },
      ]);
      expect([reason, violations.map(({ field }) => field)]).toEqual([
        "UNKNOWN_ROLE",
        ["policy.bindings[1].role"],
      ]);
    },
  );

  test.each(["allUsers", "allAuthenticatedUsers"])("rejects %s, with its path", (member) => {
    const { reason, violations } = errorOf([{ role: "roles/viewer", members: ["user:a@x", member] }]);
    expect(reason).toBe("PUBLIC_MEMBER");
    expect(violations[0]?.field).toBe("policy.bindings[0].members[1]");
  });

  it("reports each malformed member", () => {
    const { reason, violations } = errorOf([{ role: "roles/viewer", members: ["a", "user:a@x", "user:"] }]);
    expect(reason).toBe("INVALID_MEMBER");
    expect(violations.map(({ field }) => field)).toEqual([
      "policy.bindings[0].members[0]",
      "policy.bindings[0].members[2]",
    ]);
  });

  it("accepts known members that have another form", () => {
    const bindings = [{ role: "roles/viewer", members: ["user:robot"] }];
    expect(
      checkBindings(bindings, (role, member) => role === "roles/viewer" && member === "user:robot"),
    ).toEqual(bindings);
  });

  it("accepts the maximum number of members, counted once for each role, and rejects one more", () => {
    const members = Array.from({ length: MAX_POLICY_MEMBERS - 1 }, (_, index) => `user:${index}@x`);
    const both = (more: readonly string[]) => [
      { role: "roles/viewer", members },
      { role: "roles/owner", members: more },
    ];
    expect(checkBindings(both(["user:0@x"]), none)).toHaveLength(2);
    const { reason, violations } = errorOf(both(["user:0@x", "user:1@x"]));
    expect([reason, violations[0]?.field]).toEqual(["TOO_MANY_MEMBERS", "policy.bindings"]);
  });

  it("rejects members if their total length is too long", () => {
    const members = Array.from(
      { length: 100 },
      (_, index) => `principal:issuer#${index}-${"s".repeat(1_000)}`,
    );
    expect(errorOf([{ role: "roles/viewer", members }]).reason).toBe("POLICY_TOO_LARGE");
  });
});

it("roleName knows only roles of policies", () => {
  expect([Role.VIEWER, Role.EDITOR, Role.OWNER].map(roleName)).toEqual([
    "roles/viewer",
    "roles/editor",
    "roles/owner",
  ]);
  expect(() => roleName(Role.ROLE_UNSPECIFIED)).toThrow("not part of policies");
});
