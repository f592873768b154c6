import { EmbeddedRecords } from "../../../src/control/embedded/embedded-records.js";
import { type ConfigChange, readConfigChanges } from "../../../src/integrity/app-attest-configs.js";
import { systemClock } from "../../../src/model/clock.js";
import { BASE_CONFIG, PROJECT } from "../servers/project.js";

/** Apps of {@link PROJECT} that have no configuration initially, in addition to the apps of {@link BASE_CONFIG}. */
const APPS = ["changed", "masked", "guarded", "raced", "kept", "rejected"];

/** The configuration of tests that change app-attestation configurations. */
export const CHANGES_CONFIG = {
  ...BASE_CONFIG,
  projects: BASE_CONFIG.projects.map((project) =>
    project.id === PROJECT.id && "apps" in project
      ? { ...project, apps: [...project.apps, ...APPS.map((id) => ({ id }))] }
      : project,
  ),
};

/** Reads all recorded changes. Servers may be using the data directory. */
export async function readHistory(dataDir: string): Promise<readonly ConfigChange[]> {
  const records = await EmbeddedRecords.open(dataDir, systemClock);
  return readConfigChanges(records).finally(() => records.close());
}
