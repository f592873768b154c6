import type { Duration } from "@bufbuild/protobuf/wkt";
import type { Project } from "../model/names.js";

/** Token lifetime, as in `google.protobuf.Duration`. */
export type TokenTtl = Pick<Duration, "seconds" | "nanos">;

const MIN_SECONDS = 30 * 60;
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_NANOS = 999_999_999;

/** Default `tokenTtl`, in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 60 * 60;

/** Returns true if a duration is a valid `tokenTtl`: 30 minutes to 7 days, both included. */
export function isTokenTtl({ seconds, nanos }: TokenTtl): boolean {
  // A message in binary form can hold nanoseconds that are invalid in a duration.
  if (nanos < 0 || nanos > MAX_NANOS) return false;
  return (
    seconds >= MIN_SECONDS && (seconds < MAX_SECONDS || (seconds === BigInt(MAX_SECONDS) && nanos === 0))
  );
}

/** App-attestation settings of an app. Omitted settings have their defaults. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}

/** A registered project with its apps. */
export interface RegisteredProject extends Project {
  readonly apps: readonly {
    readonly id: string;
    /** Initial configuration of the app, until a caller changes it. */
    readonly appAttestConfig?: AppAttestConfigValues | undefined;
  }[];
}

/** The projects in the config file. */
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
