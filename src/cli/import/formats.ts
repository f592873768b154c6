import type { EventMap } from "./event-map.js";
import { AUTOPUSH } from "./formats/autopush.js";
import { FCM_BIGQUERY } from "./formats/fcm-bigquery.js";

/** Known formats by their `--format` name, besides `events`, which need no map. */
export const FORMATS = {
  "fcm-bigquery": FCM_BIGQUERY,
  autopush: AUTOPUSH,
} satisfies Record<string, EventMap>;
