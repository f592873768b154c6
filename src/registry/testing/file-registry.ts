import type { Records } from "../../control/records.js";
import type { RegistryFile } from "../file-entries.js";
import { Registry } from "../registry.js";

/** A store without records that rejects all changes. */
const NO_RECORDS: Pick<Records, "place" | "changesSince" | "onChange"> = {
  place: "nowhere",
  async *changesSince() {
    yield { isWhole: true, records: [], revision: 0 };
  },
  onChange: () => {},
};

/** Creates a registry of the projects and rules in a config file, for tests that change nothing. */
export const fileRegistry = ({ projects = [], access = [] }: Partial<RegistryFile>): Promise<Registry> =>
  Registry.open(NO_RECORDS as Records, { projects, access });
