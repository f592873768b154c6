import { expect, it } from "vitest";
import {
  DEFAULT_TOKEN_TTL_SECONDS,
  isTokenTtl,
  ProjectRegistry,
  type RegisteredProject,
} from "./project-registry.js";

const PROJECTS: readonly RegisteredProject[] = [
  { id: "beta", number: "222222222222", apps: [{ id: "b" }, { id: "a" }] },
  { id: "alpha", number: "111111111111", apps: [] },
  { id: "a project", number: "3", apps: [] },
];

it("finds projects by id and by number", () => {
  const registry = new ProjectRegistry(PROJECTS);
  for (const project of PROJECTS) {
    expect(registry.project(project.id)).toEqual(project);
    expect(registry.project(project.number)).toEqual(project);
  }
});

it.each(["", "gamma", "Alpha", "0111111111111", "__proto__", "*", "-"])("does not find %j", (name) => {
  expect(new ProjectRegistry(PROJECTS).project(name)).toBeUndefined();
});

it("lists all projects", () => {
  expect(new ProjectRegistry(PROJECTS).projects).toEqual(PROJECTS);
  expect(new ProjectRegistry([]).projects).toEqual([]);
});

it.each([
  [1799n, 999_999_999, false],
  [1800n, 0, true],
  [1800n, 1, true],
  [BigInt(DEFAULT_TOKEN_TTL_SECONDS), 0, true],
  [604_799n, 999_999_999, true],
  [604_800n, 0, true],
  [604_800n, 1, false],
  [604_801n, 0, false],
  [0n, 0, false],
  [3600n, -1, false],
  [3600n, 1_000_000_000, false],
  [-3600n, 0, false],
  [315_576_000_000n, 0, false],
])("a tokenTtl of %d s and %d ns is valid: %s", (seconds, nanos, expected) => {
  expect(isTokenTtl({ seconds, nanos })).toBe(expected);
});
