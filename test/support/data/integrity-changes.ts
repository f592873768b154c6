import { BASE_CONFIG, PROJECT } from "../servers/project.js";

/** Apps of {@link PROJECT} without a configuration at first, in addition to those of {@link BASE_CONFIG}. */
const APPS = ["changed", "masked", "guarded", "raced", "kept", "refused"];

/** The configuration of tests that change app-attestation configurations. */
export const CHANGES_CONFIG = {
  ...BASE_CONFIG,
  projects: BASE_CONFIG.projects.map((project) =>
    project.id === PROJECT.id && "apps" in project
      ? { ...project, apps: [...project.apps, ...APPS.map((id) => ({ id }))] }
      : project,
  ),
};

/** The journal of changes in the data directory. */
export const JOURNAL = "app-attest-configs.ndjson";
