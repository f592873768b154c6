import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { type Principal, principalId } from "../api/caller.js";
import type { ResourceName } from "../api/service.js";
import { resourceName } from "../api/testing/call-context.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { fileRegistry } from "../registry/testing/file-registry.js";
import { authorizedProject, requireRoleEverywhere } from "./call-authorizer.js";

/** Creates a principal with a name from its issuer. */
const named = (name: string, issuer = "any issuer") => ({ name, issuer, id: principalId(issuer, name) });

const PROJECTS = [
  { id: "alpha", number: "111111111111", apps: [{ id: "1:111111111111:ios:a" }] },
  { id: "beta", number: "222222222222", apps: [] },
];

const registry = await fileRegistry({
  projects: PROJECTS,
  access: [
    { principal: "viewer", projects: ["alpha"], role: Role.VIEWER },
    { principal: "by-number", projects: ["222222222222"], role: Role.EDITOR },
    { principal: "everywhere", projects: ["*"], role: Role.VIEWER },
    { principal: "everywhere", projects: ["beta"], role: Role.EDITOR },
    { principal: "twice", projects: ["alpha"], role: Role.EDITOR },
    { principal: "twice", projects: ["alpha"], role: Role.VIEWER },
    { principal: "bound", issuer: "one", projects: ["alpha"], role: Role.EDITOR },
    { principal: "bound", issuer: "two", projects: ["beta"], role: Role.VIEWER },
    { principal: "half-bound", projects: ["*"], role: Role.VIEWER },
    { principal: "half-bound", issuer: "one", projects: ["alpha"], role: Role.EDITOR },
  ],
});
const of = (project: string) => resourceName(`projects/${project}`);
const authorize = (principal: Principal, role: Role, resource: ResourceName) =>
  authorizedProject(registry, principal, role, resource);
const projectsOf = (principal: Principal, role: Role) =>
  registry.projectsWithRole(principal, role, undefined, 10);

describe("CallAuthorizer", () => {
  test.each([
    ["viewer", Role.VIEWER, "alpha", "alpha"],
    ["viewer", Role.VIEWER, "111111111111", "alpha"],
    ["by-number", Role.VIEWER, "beta", "beta"],
    ["by-number", Role.EDITOR, "222222222222", "beta"],
    ["everywhere", Role.VIEWER, "alpha", "alpha"],
    ["everywhere", Role.EDITOR, "beta", "beta"],
    ["twice", Role.EDITOR, "alpha", "alpha"],
  ])("allows %s with role %i on project %s", (principal, role, project, id) => {
    expect(authorize(named(principal), role, of(project)).id).toBe(id);
  });

  test.each([
    ["viewer", Role.EDITOR, "alpha"],
    ["viewer", Role.VIEWER, "beta"],
    ["viewer", Role.VIEWER, "nowhere"],
    ["everywhere", Role.EDITOR, "alpha"],
    ["everywhere", Role.VIEWER, "nowhere"],
    ["everywhere", Role.VIEWER, "*"],
    ["everywhere", Role.VIEWER, ""],
    ["Viewer", Role.VIEWER, "alpha"],
    ["no-role", Role.VIEWER, "alpha"],
    ["constructor", Role.VIEWER, "alpha"],
  ])("denies %s with role %i on project %s", (principal, role, project) => {
    expect(() => authorize(named(principal), role, of(project))).toThrow(ApiError);
  });

  test.each([
    ["viewer", Role.VIEWER, ["alpha"]],
    ["viewer", Role.EDITOR, []],
    ["by-number", Role.VIEWER, ["beta"]],
    ["everywhere", Role.VIEWER, ["alpha", "beta"]],
    ["everywhere", Role.EDITOR, ["beta"]],
    ["twice", Role.EDITOR, ["alpha"]],
    ["Viewer", Role.VIEWER, []],
    ["no-role", Role.VIEWER, []],
    ["constructor", Role.VIEWER, []],
  ])("lists projects for %s with role %i: %j", (principal, role, ids) => {
    expect(projectsOf(named(principal), role).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["bound", "one", Role.EDITOR, ["alpha"]],
    ["bound", "two", Role.VIEWER, ["beta"]],
    ["bound", "two", Role.EDITOR, []],
    ["bound", "three", Role.VIEWER, []],
    ["bound", "One", Role.VIEWER, []],
    ["half-bound", "one", Role.EDITOR, ["alpha"]],
    ["half-bound", "one", Role.VIEWER, ["alpha", "beta"]],
    ["half-bound", "two", Role.EDITOR, []],
    ["half-bound", "two", Role.VIEWER, ["alpha", "beta"]],
  ])("lists projects for %s of issuer %s with role %i: %j", (name, issuer, role, ids) => {
    const principal = named(name, issuer);
    expect(projectsOf(principal, role).map(({ id }) => id)).toEqual(ids);
    for (const { id } of PROJECTS) {
      const entering = () => authorize(principal, role, of(id));
      if (ids.includes(id)) expect(entering().id).toBe(id);
      else expect(entering).toThrow(ApiError);
    }
  });

  it("returns the same error for a missing project and for a project without access", () => {
    const response = (project: string) => {
      try {
        authorize(named("viewer"), Role.VIEWER, of(project));
      } catch (error) {
        if (error instanceof ApiError) {
          const { code, reason, httpStatus, message, metadata } = error;
          return JSON.stringify({ code, reason, httpStatus, message, metadata }).replaceAll(
            project,
            "PROJECT",
          );
        }
      }
      throw new Error("it was let in");
    };
    expect(response("beta")).toBe(response("nowhere"));
    expect(response("beta")).toContain("PERMISSION_MISSING");
  });

  it("finds an app's project by the app id", () => {
    const app = (collection: string, id: string) => resourceName(`projects/-/${collection}/${id}`);
    const known = app("iosApps", "1:111111111111:ios:a");
    expect(authorize(named("viewer"), Role.VIEWER, known).id).toBe("alpha");
    for (const unknown of [app("iosApps", "1:111111111111:ios:b"), app("apps", "1:111111111111:ios:a")])
      expect(() => authorize(named("everywhere"), Role.VIEWER, unknown)).toThrow(ApiError);
    expect(() => authorize(named("no-role"), Role.VIEWER, known)).toThrow(ApiError);
  });

  it("allows a call on all projects only with a rule for all projects", () => {
    expect(() => requireRoleEverywhere(registry, named("everywhere"), Role.VIEWER)).not.toThrow();
    expect(() => requireRoleEverywhere(registry, named("everywhere"), Role.EDITOR)).toThrow(
      "on all projects",
    );
    expect(() => requireRoleEverywhere(registry, named("viewer"), Role.VIEWER)).toThrow("on all projects");
  });
});
