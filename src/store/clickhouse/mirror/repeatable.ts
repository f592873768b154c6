import type { Settings } from "../connection.js";

/**
 * Settings of inserts into tables that tell repeated rows by themselves. Replicas would leave out a block that they have had
 * before, even if its rows are removed by now.
 */
export const REPEATABLE: Settings = { insert_deduplicate: 0 };
