import { expect, it, test } from "vitest";
import type { Caller } from "../api/caller.js";
import { callContext } from "../api/testing/call-context.js";
import { inEveryProject, inProject } from "./call-scope.js";

const principal = { name: "viewer", issuer: "issuer", id: "viewer of issuer" };
const PROJECT = { id: "alpha", number: "1" };
const ofOne = inProject(async (request: string, { caller }) => [request, caller.project.id]);
const ofEvery = inEveryProject(async (request: string, { caller }) => [
  request,
  ...caller.projects.map(({ id }) => id),
]);
const inOne: Caller = { kind: "project", principal, project: PROJECT };
const inEvery: Caller = { kind: "everyProject", principal, projects: [PROJECT, { ...PROJECT, id: "beta" }] };

it("passes a call to the handler of its scope", async () => {
  expect(await ofOne("x", callContext(inOne))).toEqual(["x", "alpha"]);
  expect(await ofEvery("x", callContext(inEvery))).toEqual(["x", "alpha", "beta"]);
});

test.each([
  ["in one project", ofOne, inEvery],
  ["in every project", ofEvery, inOne],
])("rejects a call of another scope at a handler for calls %s", (_, handle, caller) => {
  expect(() => handle("x", callContext(caller))).toThrow("contract");
});
