import { join } from "node:path";
import { fillStoredDays, rowsOfApps } from "../support/data/stored-days.js";
import { compare } from "../support/measurement.js";
import type { Row } from "../support/row.js";
import { startLine, startTime } from "../support/start-time.js";
import { dataDirectory } from "../support/waybill-server.js";

const MAX_MS = 500;

/** The time until a server with much delivery data is ready, compared with an empty server. */
export const startRow: Row = {
  name: "start",
  measure: async ({ runs, storedApps }, directory) => {
    const [full, empty] = [join(directory, "full"), join(directory, "empty")];
    await fillStoredDays(dataDirectory(full), storedApps);
    // Creates the database, which is not part of the measured start.
    await startTime(empty);
    const starts = await compare(
      runs,
      () => startTime(full),
      () => startTime(empty),
    );
    const { states, entries } = rowsOfApps(storedApps);
    const what = `${states.toLocaleString("en-US")} message states, ${entries.toLocaleString("en-US")} entries`;
    return [startLine(what, starts, MAX_MS)];
  },
};
