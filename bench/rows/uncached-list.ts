import { ENTRIES_SQL } from "#dist/store/duckdb/read/statements.js";
import { measureUncachedReads } from "../support/reads/uncached-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT } from "../support/waybill-server.js";

const PAGE_SIZE = 1_000;
/** After all days. */
const LAST_DAY = 0x7fff_ffff;

/** `list` with requests for different apps, so that none is cached, compared with the same query in DuckDB's client. */
export const uncachedListRow: Row = {
  name: "uncached-list",
  measure: (scale, directory) =>
    measureUncachedReads(
      scale,
      directory,
      PAGE_SIZE,
      [
        { concurrency: 1, most: 1.4 },
        { concurrency: 16, most: 1.8 },
      ].map(({ concurrency, most }) => ({
        what: `list, 1,000 entries, each of another app, ${concurrency} at a time`,
        concurrency,
        request: `deliveryData?pageSize=${PAGE_SIZE}`,
        sql: ENTRIES_SQL,
        parametersOf: (name) => ({
          ...{ project: BigInt(PROJECT), name, until: LAST_DAY },
          ...{ after_day: LAST_DAY, after_label: "", limit: PAGE_SIZE + 1 },
        }),
        rows: PAGE_SIZE,
        most,
      })),
    ),
};
