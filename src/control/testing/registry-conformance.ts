import { describe, expect, it } from "vitest";
import type { ProjectRegistry, RegisteredProject } from "../project-registry.js";

const PROJECTS: readonly RegisteredProject[] = [
  { id: "beta", number: "222222222222", apps: [{ id: "b" }, { id: "a" }] },
  { id: "alpha", number: "111111111111", apps: [] },
  { id: "a project", number: "3", apps: [] },
];

/** Tests of a registry, for any implementation. */
export function describeProjectRegistry(
  name: string,
  open: (projects: readonly RegisteredProject[]) => Promise<ProjectRegistry>,
): void {
  describe(name, () => {
    it("finds projects by id and by number", async () => {
      const registry = await open(PROJECTS);
      for (const project of PROJECTS) {
        expect(registry.project(project.id)).toEqual(project);
        expect(registry.project(project.number)).toEqual(project);
      }
    });

    it.each(["", "gamma", "Alpha", "0111111111111", "__proto__", "*", "-"])(
      "does not find %j",
      async (name) => {
        expect((await open(PROJECTS)).project(name)).toBeUndefined();
      },
    );

    it("lists all projects, possibly none", async () => {
      expect((await open(PROJECTS)).projects).toEqual(PROJECTS);
      expect((await open([])).projects).toEqual([]);
    });
  });
}
