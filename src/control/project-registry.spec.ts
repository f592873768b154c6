import { expect, it } from "vitest";
import { ProjectRegistry, type RegisteredProject } from "./project-registry.js";

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

it("lists all projects, possibly none", () => {
  expect(new ProjectRegistry(PROJECTS).projects).toEqual(PROJECTS);
  expect(new ProjectRegistry([]).projects).toEqual([]);
});
