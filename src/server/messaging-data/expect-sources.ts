import { allRecords, RECORD_KINDS, type Records } from "../../control/records.js";
import { LAST_DAY } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { Store } from "../../store/store.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";

/**
 * Checks that each project's stored delivery data comes from the configured source. Data from events and mirrored
 * entries must not be mixed.
 *
 * @param isChecked returns false for projects to skip. By default, all projects are checked.
 * @throws ConfigError if the stored data has another source.
 * @throws StoreUnavailableError if a checked project has a mirror and the store cannot be reached.
 */
export async function expectSources(
  store: Pick<Store, "projectsWithEntries" | "readEntries" | "staleDays">,
  projects: Config["projects"],
  isChecked: (project: Config["projects"][number]) => boolean = () => true,
): Promise<void> {
  const checked = projects.filter(isChecked);
  const isMirrored = ({ deliveryData }: Config["projects"][number]): boolean =>
    deliveryData.source === "mirror";
  try {
    // Of thousands of projects, often only some have entries.
    const withEntries = new Set(await store.projectsWithEntries());
    for (const project of checked) {
      const { number, deliveryData } = project;
      if (!withEntries.has(number) && !isMirrored(project)) continue;
      const stored = await storedSource(store, number, deliveryData.source);
      if (stored === undefined || stored === deliveryData.source) continue;
      throw new ConfigError(
        `projects[${projects.indexOf(project)}].deliveryData.source: must be ${stored}, because the project has data ` +
          `from this source; use another project for ${deliveryData.source}`,
      );
    }
  } catch (error) {
    // A server without mirrors must be able to start while the store is unreachable. A mirror must not start, because it
    // would write into the store without this check.
    if (!(error instanceof StoreUnavailableError) || checked.some(isMirrored)) throw error;
  }
}

/**
 * Returns mirrored projects that the config file no longer names, although they exist because the API has created them.
 * They accept no events, because data from events and mirrored entries must not be mixed.
 *
 * @throws StoreUnavailableError if the records cannot be read.
 */
export async function formerMirrors(
  store: Pick<Store, "readEntries" | "staleDays">,
  records: Pick<Records, "list">,
  projects: Config["projects"],
): Promise<readonly ProjectNumber[]> {
  const named = new Set(projects.map(({ number }) => number));
  const former: ProjectNumber[] = [];
  for (const { key: number } of await allRecords(records, RECORD_KINDS.mirror)) {
    if (named.has(number)) continue;
    const stored = await storedSource(store, number, "mirror").catch((error: unknown) => {
      // The server must be able to start while the store is unreachable.
      if (error instanceof StoreUnavailableError) return "mirror";
      throw error;
    });
    if (stored === "mirror") former.push(number);
  }
  return former;
}

type Source = Config["projects"][number]["deliveryData"]["source"];

/**
 * Returns the source that a project's stored data comes from. Returns `undefined` if the data does not show its source.
 */
async function storedSource(
  store: Pick<Store, "readEntries" | "staleDays">,
  project: string,
  expected: Source,
): Promise<Source | undefined> {
  const batches = await store.readEntries({ project, until: LAST_DAY, limit: 1, originals: true });
  const entry = batches.find(({ length }) => length > 0);
  if (entry !== undefined) return entry.originals === undefined ? "events" : "mirror";
  const hasEvents = expected === "mirror" && (await store.staleDays({ project, limit: 1 })).length > 0;
  return hasEvents ? "events" : undefined;
}
