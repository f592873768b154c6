import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { MessageEvent_EventType as EventType } from "#dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { COUNTS } from "#dist/store/delivery-data-store.js";
import { progress } from "../progress.js";
import { PROJECT } from "../waybill-server.js";
import { DAY, openStore } from "./day-store.js";
import { DATABASE } from "./delivery-data.js";
import { MILLISECONDS_A_DAY } from "./random-events.js";

const DAYS = 100;
const LABELS = 100;
/** Number of messages of each entry. All of them are delivered. */
const MESSAGES = 3;

/** Counts that are not 0. */
const COUNTED = new Set(["count_messages_accepted", "delivered", "delivered_no_delay"]);
const SEEN = (1 << EventType.ACCEPTED) | (1 << EventType.DELIVERED);

/** Numbers of rows that {@link fillStoredDays} writes. */
export interface StoredRows {
  readonly states: number;
  readonly entries: number;
}

export function rowsOfApps(apps: number): StoredRows {
  const entries = DAYS * LABELS * apps;
  return { states: MESSAGES * entries, entries };
}

/**
 * Writes listed days into the data directory of a server that has not started yet: the entries of each app on 100 days
 * with 100 labels, and their message states. Writes them directly into the tables, because an import of as many
 * events would last too long.
 */
export async function fillStoredDays(directory: string, apps: number): Promise<void> {
  progress(`  writing ${rowsOfApps(apps).states} message states`);
  await (await openStore(directory)).close();
  const instance = await DuckDBInstance.create(join(directory, DATABASE), { memory_limit: "2GB" });
  const connection = await instance.connect();
  for (const statement of statementsOf(apps)) await connection.run(statement);
  await connection.run("CHECKPOINT");
  connection.closeSync();
  instance.closeSync();
}

/** Returns the statements that insert rows by day. */
function statementsOf(apps: number): string[] {
  const { states, entries } = rowsOfApps(apps);
  const project = `${PROJECT}::BIGINT`;
  const keyOf = (entry: string): string => `
    ${project} AS project, ${DAY} + ${entry} // ${LABELS * apps} AS day,
    1 + (${entry} // ${LABELS}) % ${apps} AS app`;
  return [
    `INSERT INTO apps SELECT 1 + i, ${project}, '1:1:android:' || i FROM range(${apps}) AS numbers(i)`,
    `INSERT INTO labels SELECT 1 + i, ${project}, 'label-' || i FROM range(${LABELS}) AS numbers(i)`,
    `INSERT INTO counted_days BY NAME
     SELECT ${project} AS project, ${DAY} + i AS day, ${states / DAYS} AS messages FROM range(${DAYS}) AS numbers(i)`,
    `INSERT INTO entries BY NAME
     SELECT ${keyOf("i")}, 'label-' || i % ${LABELS} AS label,
       ${COUNTS.map((name) => `${COUNTED.has(name) ? MESSAGES : 0} AS ${name}`).join(", ")}
     FROM range(${entries}) AS numbers(i)`,
    `INSERT INTO message_states BY NAME
     SELECT ${keyOf(`(i // ${MESSAGES})`)}, hash(i) AS key_high, hash(i, 1) AS key_low,
       ((hash(i, 2) % ${MILLISECONDS_A_DAY}) << 33) | ((1 + (i // ${MESSAGES}) % ${LABELS})::UBIGINT << 1) AS accepted,
       32 * (hash(i, 3) % ${MILLISECONDS_A_DAY}) + ${EventType.DELIVERED} AS outcome,
       ${SEEN} AS seen
     FROM range(${states}) AS numbers(i)`,
  ];
}
