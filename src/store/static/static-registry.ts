import type { AppAttestConfigStore, StoredAppAttestConfig } from "../app-attest-config-store.js";

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
export class StaticRegistry implements AppAttestConfigStore {
  readonly #projects = new Map<string, RegisteredProject>();
  readonly #apps = new Map<string, StoredAppAttestConfig>();

  constructor(projects: readonly RegisteredProject[]) {
    for (const project of projects) {
      this.#projects.set(project.id, project);
      this.#projects.set(project.number, project);
      for (const app of project.apps)
        this.#apps.set(`${project.number}/${app.id}`, app.appAttestConfig ?? {});
    }
  }

  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): RegisteredProject | undefined {
    return this.#projects.get(idOrNumber);
  }

  async find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined> {
    return this.#apps.get(`${project}/${appId}`);
  }
}
