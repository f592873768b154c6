import type { EventMap } from "./event-map.js";
import { AUTOPUSH } from "./formats/autopush.js";
import { FCM_BIGQUERY, FCM_BIGQUERY_LAYOUTS } from "./formats/fcm-bigquery.js";
import type { BigQueryColumn } from "./rows/bigquery-rows.js";

/** A log in another format. */
export interface LogFormat {
  readonly map: EventMap;
  /** The columns of the log's table in BigQuery, once for each number of columns that it may have. */
  readonly layouts?: readonly (readonly BigQueryColumn[])[];
}

/** Known formats by their `--format` name, besides `events`, which need no map. */
export const FORMATS = {
  "fcm-bigquery": { map: FCM_BIGQUERY, layouts: FCM_BIGQUERY_LAYOUTS },
  autopush: { map: AUTOPUSH },
} satisfies Record<string, LogFormat>;
