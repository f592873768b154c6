import { LAST_DAY } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { Store } from "../../store/store.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";

/**
 * Checks that the delivery data of each project come from its one source: neither events nor what was computed from
 * them may meet entries of a mirror.
 *
 * @throws ConfigError naming a source that is not that of the stored data; StoreUnavailableError if there is a mirror, and
 * the store cannot be reached.
 */
export async function expectSources(
  store: Pick<Store, "readEntries" | "staleDays">,
  projects: Config["projects"],
): Promise<void> {
  for (const [index, { number, deliveryData }] of projects.entries()) {
    const stored = await storedSource(store, number, deliveryData.source).catch((error: unknown) => {
      // A store that cannot answer yet keeps no server from starting, but a mirror from writing into it.
      if (deliveryData.source === "events" && error instanceof StoreUnavailableError) return undefined;
      throw error;
    });
    if (stored === undefined || stored === deliveryData.source) continue;
    throw new ConfigError(
      `projects[${index}].deliveryData.source: must be ${stored}, from which the project has data already; ` +
        `use another project for ${deliveryData.source}`,
    );
  }
}

type Source = Config["projects"][number]["deliveryData"]["source"];

/** Returns the source of the stored data of a project, if there are any that tell. */
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
