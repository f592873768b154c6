import type { Project } from "../model/project.js";
import type { StoredAppAttestConfig } from "./app-attest-config-store.js";

/** A registered project with its apps. */
export interface RegisteredProject extends Project {
  readonly apps: readonly {
    readonly id: string;
    /** The configuration of the app until a caller changes it. */
    readonly appAttestConfig?: StoredAppAttestConfig | undefined;
  }[];
}

/**
 * The projects that exist. It answers from memory, since every call needs its project: a registry kept
 * elsewhere has a copy here.
 */
export interface ProjectRegistry<P extends Project = RegisteredProject> {
  readonly projects: readonly P[];
  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): P | undefined;
}
