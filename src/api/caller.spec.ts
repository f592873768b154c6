import { expect, it, test } from "vitest";
import { type Caller, inEveryProject, inProject, ofApp } from "./caller.js";
import { callContext } from "./testing/call-context.js";

const principal = { name: "viewer", issuer: "issuer", id: "viewer of issuer" };
const PROJECT = { id: "alpha", number: "1" };
const ofOne = inProject(async (request: string, { caller }) => [request, caller.project.id]);
const ofEvery = inEveryProject(async (request: string, { caller }) => [
  request,
  ...caller.projectsAfter(undefined, 10).map(({ id }) => id),
]);
const ofDevice = ofApp(async (request: string, { caller }) => [request, caller.budgetKey]);
const networkOf = () => "192.0.2.1";
const of = { budgetKey: principal.id, networkOf, principal };
const inOne: Caller = { ...of, kind: "project", project: PROJECT, recheckAccess: async () => {} };
const inEvery: Caller = {
  ...of,
  kind: "everyProject",
  projectsAfter: () => [PROJECT, { ...PROJECT, id: "beta" }],
};
const app: Caller = { kind: "app", budgetKey: networkOf(), networkOf, project: PROJECT };

it("a handler receives calls of its own kind", async () => {
  expect(await ofOne("x", callContext(inOne))).toEqual(["x", "alpha"]);
  expect(await ofEvery("x", callContext(inEvery))).toEqual(["x", "alpha", "beta"]);
  expect(await ofDevice("x", callContext(app))).toEqual(["x", "192.0.2.1"]);
});

test.each([
  ["in one project", ofOne, inEvery],
  ["in every project", ofEvery, inOne],
  ["in one project, with a role", ofOne, app],
  ["of apps", ofDevice, inOne],
])("a handler for calls %s rejects calls of another kind", (_, handle, caller) => {
  expect(() => handle("x", callContext(caller))).toThrow("contract");
});
