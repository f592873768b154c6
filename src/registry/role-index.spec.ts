import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { principalId } from "../api/caller.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { type Named, RoleIndex } from "./role-index.js";

const { ROLE_UNSPECIFIED: NONE, VIEWER, EDITOR, OWNER } = Role;

/** Returns a principal of an issuer, with a name and optionally another subject. */
const principal = (name: string, issuer = "issuer", subject?: string): Named => ({
  name,
  id: principalId(issuer, name),
  subjectId: subject === undefined ? undefined : principalId(issuer, subject),
});

describe("RoleIndex", () => {
  it("returns the highest role on a project, including roles on all projects", () => {
    const index = new RoleIndex();
    index.grant({ name: "ada" }, "1", EDITOR);
    index.grant({ name: "ada" }, "1", VIEWER);
    index.grant({ name: "root" }, "*", VIEWER);
    index.grant({ name: "root" }, "1", OWNER);
    expect([index.roleOn(principal("ada"), "1"), index.roleOn(principal("ada"), "2")]).toEqual([
      EDITOR,
      NONE,
    ]);
    expect([index.roleOn(principal("root"), "1"), index.roleOn(principal("root"), "2")]).toEqual([
      OWNER,
      VIEWER,
    ]);
    expect([index.roleEverywhere(principal("root")), index.roleEverywhere(principal("ada"))]).toEqual([
      VIEWER,
      NONE,
    ]);
  });

  it("is empty until a member has a role, and once no member has one", () => {
    const index = new RoleIndex();
    const members = [{ name: "ada" }, { name: "ada", issuer: "one" }, { issuer: "one", subject: "1234" }];
    for (const member of members) {
      expect(index.isEmpty).toBe(true);
      index.grant(member, "1", VIEWER);
      expect(index.isEmpty).toBe(false);
      index.revoke(member, "1");
    }
    expect(index.isEmpty).toBe(true);
    index.grant({ name: "root" }, "*", VIEWER);
    expect(index.isEmpty).toBe(false);
  });

  it("grants roles to a name of one issuer, not to another principal that has this subject", () => {
    const index = new RoleIndex();
    index.grant({ name: "ada@example.com", issuer: "one" }, "1", OWNER);
    expect(index.roleOn(principal("ada@example.com", "one", "subject"), "1")).toBe(OWNER);
    expect(index.roleOn(principal("ada@example.com", "two"), "1")).toBe(NONE);
    expect(index.roleOn(principal("mallory@example.com", "one", "ada@example.com"), "1")).toBe(NONE);
  });

  it("grants roles to a subject of one issuer, not to another principal that has this name", () => {
    const index = new RoleIndex();
    index.grant({ issuer: "one", subject: "1234" }, "1", OWNER);
    expect(index.roleOn(principal("ada@example.com", "one", "1234"), "1")).toBe(OWNER);
    expect(index.roleOn(principal("1234", "one"), "1")).toBe(OWNER);
    expect(index.roleOn(principal("ada@example.com", "two", "1234"), "1")).toBe(NONE);
    expect(index.roleOn(principal("1234", "one", "other"), "1")).toBe(NONE);
  });

  it("lists projects sorted by number, for each grant", () => {
    const index = new RoleIndex();
    for (const project of ["10", "9", "100"]) index.grant({ name: "ada" }, project, VIEWER);
    index.grant({ name: "ada", issuer: "issuer" }, "7", VIEWER);
    expect(index.projectsOf(principal("ada"))).toEqual([["9", "10", "100"], ["7"]]);
    index.revoke({ name: "ada" }, "10");
    expect(index.projectsOf(principal("ada"))).toEqual([["9", "100"], ["7"]]);
    index.revoke({ name: "ada", issuer: "issuer" }, "7");
    expect(index.projectsOf(principal("ada"))).toEqual([["9", "100"]]);
    expect(index.projectsOf(principal("nobody"))).toEqual([]);
  });

  it("reports whether a member owns all projects", () => {
    const index = new RoleIndex();
    index.grant({ name: "ada" }, "1", OWNER);
    index.grant({ name: "root" }, "*", EDITOR);
    expect(index.isOwnedEverywhere).toBe(false);
    index.grant({ name: "root" }, "*", OWNER);
    expect(index.isOwnedEverywhere).toBe(true);
  });

  it("returns the same roles as a plain list of grants, after any grants and removals", () => {
    const names = ["a", "b"];
    const projects = ["1", "2", "3"];
    const grant = fc.record({
      name: fc.constantFrom(...names),
      project: fc.constantFrom(...projects),
      role: fc.constantFrom(NONE, VIEWER, EDITOR, OWNER),
    });
    fc.assert(
      fc.property(fc.array(grant), (steps) => {
        const index = new RoleIndex();
        let grants: { name: string; project: string; role: Role }[] = [];
        for (const step of steps) {
          // The lowest role represents a removal.
          if (step.role === NONE) {
            index.revoke({ name: step.name }, step.project);
            grants = grants.filter(({ project, name }) => project !== step.project || name !== step.name);
          } else {
            index.grant({ name: step.name }, step.project, step.role);
            grants.push(step);
          }
        }
        for (const name of names) {
          for (const project of projects) {
            const roles = grants
              .filter((one) => one.name === name && one.project === project)
              .map(({ role }) => role);
            expect(index.roleOn(principal(name), project)).toBe(Math.max(NONE, ...roles));
          }
          const own = new Set(grants.filter((one) => one.name === name).map(({ project }) => project));
          expect(index.projectsOf(principal(name))).toEqual(own.size === 0 ? [] : [[...own].sort()]);
        }
      }),
    );
  });
});
