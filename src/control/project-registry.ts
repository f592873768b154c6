import type { Duration } from "@bufbuild/protobuf/wkt";
import type { Project } from "../model/project.js";

/** Token lifetime, as in `google.protobuf.Duration`. */
export type TokenTtl = Pick<Duration, "seconds" | "nanos">;

/** Settings of an app's app-attestation; a missing one has its default. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}

/** A registered project with its apps. */
export interface RegisteredProject extends Project {
  readonly apps: readonly {
    readonly id: string;
    /** The configuration of the app until a caller changes it. */
    readonly appAttestConfig?: AppAttestConfigValues | undefined;
  }[];
}

/** The projects that exist, from the configuration file. */
export class ProjectRegistry<P extends Project = RegisteredProject> {
  readonly projects: readonly P[];
  readonly #byName = new Map<string, P>();

  constructor(projects: readonly P[]) {
    this.projects = projects;
    for (const project of projects) {
      this.#byName.set(project.id, project);
      this.#byName.set(project.number, project);
    }
  }

  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): P | undefined {
    return this.#byName.get(idOrNumber);
  }
}
