import type { ProjectRegistry, RegisteredProject } from "../project-registry.js";

/** The projects and apps of the configuration file. */
export class StaticRegistry implements ProjectRegistry {
  readonly projects: readonly RegisteredProject[];
  readonly #byName = new Map<string, RegisteredProject>();

  constructor(projects: readonly RegisteredProject[]) {
    this.projects = projects;
    for (const project of projects) {
      this.#byName.set(project.id, project);
      this.#byName.set(project.number, project);
    }
  }

  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#byName.get(idOrNumber);
  }
}
