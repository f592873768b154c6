import type { StoredAppAttestConfig } from "../app-attest-config-store.js";

/** A project of the configuration file. */
export interface RegisteredProject {
  readonly id: string;
  /** Project number, in decimal. */
  readonly number: string;
  readonly apps: readonly {
    readonly id: string;
    readonly appAttestConfig?: StoredAppAttestConfig | undefined;
  }[];
}

/** The projects and apps of the configuration file. */
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

  /** Finds a project by id or number (AIP-2510). */
  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#byName.get(idOrNumber);
  }
}
