import { sumStatement } from "#dist/store/duckdb/read/statements.js";
import { DAYS } from "../support/data/delivery-data.js";
import { measureUncachedReads, ONE_APP } from "../support/reads/uncached-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT } from "../support/waybill-server.js";

const ENTRIES = 2_000;
/** After all days. */
const LAST_DAY = 0x7fff_ffff;
const LIMIT = 10_001;

const DIMENSIONS = [
  { dimension: "day", parameter: "DATE", groups: DAYS },
  { dimension: "label", parameter: "ANALYTICS_LABEL", groups: ENTRIES / DAYS },
] as const;

/**
 * Sums of 2,000 entries with requests for different apps, so that none is cached, compared with the same query in
 * DuckDB's client.
 */
export const uncachedSumsRow: Row = {
  name: "uncached-sums",
  measure: (scale, directory) =>
    measureUncachedReads(
      scale,
      directory,
      ENTRIES,
      DIMENSIONS.map(({ dimension, parameter, groups }) => {
        const statementOf = (appId: string) =>
          sumStatement(
            { project: PROJECT, appId, until: LAST_DAY, groupBy: new Set([dimension]), limit: LIMIT - 1 },
            0,
            LIMIT,
          );
        return {
          what: `sums of 2,000 entries by ${dimension}, each of another app, 1 at a time`,
          concurrency: 1,
          request: `deliveryData:aggregate?groupBy=${parameter}`,
          sql: statementOf("any").sql.replace("app = $app", ONE_APP),
          parametersOf: (name) => {
            const { app, ...others } = statementOf(name).parameters;
            return { ...others, name };
          },
          rows: groups,
          most: 3,
        };
      }),
    ),
};
