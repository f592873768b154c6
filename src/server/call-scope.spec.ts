import { expect, it, test } from "vitest";
import { callContext } from "../api/testing/call-context.js";
import type { Principal } from "../auth/principal.js";
import type { Access } from "./access.js";
import { inEveryProject, inProject } from "./call-scope.js";

const principal: Principal = {
  name: "viewer",
  issuer: "issuer",
  id: "viewer of issuer",
  scopes: new Set(),
  tokenScopes: [],
};
const PROJECT = { id: "alpha", number: "1", apps: [] };
const ofOne = inProject(async (request: string, { auth }) => [request, auth.project.id]);
const ofEvery = inEveryProject(async (request: string, { auth }) => [
  request,
  ...auth.projects.map(({ id }) => id),
]);
const inOne: Access = { principal, project: PROJECT };
const inEvery: Access = { principal, projects: [PROJECT, { ...PROJECT, id: "beta" }] };

it("passes a call to the handler of its scope", async () => {
  expect(await ofOne("x", callContext(inOne))).toEqual(["x", "alpha"]);
  expect(await ofEvery("x", callContext(inEvery))).toEqual(["x", "alpha", "beta"]);
});

test.each([
  ["in one project", ofOne, inEvery],
  ["in every project", ofEvery, inOne],
])("rejects a call of another scope at a handler for calls %s", (_, handle, access) => {
  expect(() => handle("x", callContext(access))).toThrow("contract");
});
