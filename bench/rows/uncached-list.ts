import { COUNTS } from "#dist/store/delivery-data-store.js";
import { measureUncachedReads, ONE_APP } from "../support/reads/uncached-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT } from "../support/waybill-server.js";

const PAGE_SIZE = 1_000;
/**
 * Lists a page by the app's id. Looks up the app's number, and reads all columns only for the days on the page. Waybill
 * used this statement when the targets were set. Now it looks up numbers in memory, and its own statement is simpler.
 */
const SQL = `
  WITH days AS (
    SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS entries_before
    FROM entries
    WHERE project = $project AND ${ONE_APP} AND day <= $until
    GROUP BY day
  )
  SELECT day, label, ${COUNTS.map((name) => `${name}::DOUBLE`).join(", ")}
  FROM entries
  WHERE project = $project
    AND ${ONE_APP}
    AND day <= $until
    AND day >= coalesce((SELECT min(day) FROM days WHERE entries_before < $limit), $until)
  ORDER BY day DESC, label
  LIMIT $limit`;
/** After all days. */
const LAST_DAY = 0x7fff_ffff;

/** `list` with requests for different apps, so that none is cached, compared with a query in DuckDB's client. */
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
        sql: SQL,
        parametersOf: (name) => ({
          project: BigInt(PROJECT),
          name,
          until: LAST_DAY,
          limit: PAGE_SIZE + 1,
        }),
        rows: PAGE_SIZE,
        most,
      })),
    ),
};
