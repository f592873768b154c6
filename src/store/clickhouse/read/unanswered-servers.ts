/** Addresses of servers to which another server could not connect, such as `Connection refused (10.0.0.1:9000)`. */
const ADDRESS = /\(([^\s()]+:\d+)[^()]*\)/g;

/**
 * Returns the error of a check for operators: the servers that did not answer another server, with their shard, or the
 * first line of the error.
 *
 * @param shardOf the shards of servers, by their addresses for other servers.
 */
export function describeOutage(error: unknown, shardOf: ReadonlyMap<string, number>): string {
  const message = error instanceof Error ? error.message : String(error);
  const servers = new Set([...message.matchAll(ADDRESS)].map(([, address = ""]) => address));
  if (servers.size === 0) return message.split("\n", 1)[0] ?? "";
  const named = [...servers].map((address) => {
    const shard = shardOf.get(address);
    return shard === undefined ? address : `${address} (shard ${shard})`;
  });
  return `ClickHouse does not respond at ${named.join(", ")}`;
}
