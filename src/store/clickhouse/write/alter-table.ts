import type { Connection, Settings } from "../connection.js";
import { textLiteral } from "../literals.js";
import { RowReader } from "../row-binary.js";
import { onCluster, type Place, type TableName } from "../tables.js";

/**
 * Changes a table on one replica of each shard. The others follow. The changes may be repeated.
 *
 * Statements on the whole cluster need up to a second, and in 18.16 they sometimes stop a server from ever running another
 * one: two replicas of a shard may both change the table, and the second one fails to note it. Such a statement is
 * therefore only used if the address of some shard's leader is unknown, for example behind a load balancer.
 *
 * @param changes what follows the table's name in each statement, such as `DROP PARTITION 1`.
 * @param settings settings for a statement on the whole cluster.
 */
export async function alterTable(
  connection: Connection,
  place: Place,
  table: TableName,
  changes: readonly string[],
  settings: Settings = {},
): Promise<void> {
  const name = `${place.database}.${table}`;
  const leaders = await leadersOf(connection, place, table);
  for (const change of changes) {
    if (leaders === undefined)
      await connection.run(`ALTER TABLE ${name} ${onCluster(place)} ${change}`, settings);
    else
      await Promise.all(leaders.map((server) => connection.runOn(server, `ALTER TABLE ${name} ${change}`)));
  }
}

/** Returns a server of each shard that leads its replicas. Returns undefined if the address of one is unknown. */
async function leadersOf(
  connection: Connection,
  { cluster, database }: Place,
  table: TableName,
): Promise<readonly number[] | undefined> {
  if (cluster === undefined) return undefined;
  // In current ClickHouse, the nested query has a nullable type, which has another format.
  const results = await connection.readEach(
    `SELECT toUInt64(shard_num), toUInt64(is_local AND ifNull((
       SELECT max(is_leader) FROM system.replicas
       WHERE database = ${textLiteral(database)} AND table = ${textLiteral(table)}
     ), 0))
     FROM system.clusters WHERE cluster = ${textLiteral(cluster)}`,
  );
  const shards = new Set<number>();
  const leaders = new Map<number, number>();
  for (const [server, result] of results.entries()) {
    const rows = new RowReader(result ?? Buffer.alloc(0));
    while (!rows.isAtEnd) {
      const [shard, isLeader] = [rows.count(), rows.count()];
      shards.add(shard);
      if (isLeader === 1) leaders.set(shard, server);
    }
  }
  return leaders.size > 0 && leaders.size === shards.size ? [...leaders.values()] : undefined;
}
