import type { StoredAppAttestConfig } from "../app-attest-config-store.js";

/** A project as the configuration registers it. */
export interface RegisteredProject {
  readonly id: string;
  /** In decimal. */
  readonly number: string;
  readonly apps: readonly {
    readonly id: string;
    readonly appAttestConfig?: StoredAppAttestConfig | undefined;
  }[];
}

/** Projects and apps as they stand in the configuration file. */
export class StaticRegistry {
  readonly projects: readonly RegisteredProject[];
  readonly #byName = new Map<string, RegisteredProject>();

  constructor(projects: readonly RegisteredProject[]) {
    this.projects = projects;
    for (const project of projects) {
      this.#byName.set(project.id, project);
      this.#byName.set(project.number, project);
    }
  }

  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#byName.get(idOrNumber);
  }
}
