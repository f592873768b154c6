import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { NODE_PORTS } from "../cluster.js";

/**
 * Counts the bytes that ClickHouse servers send to each other in both directions while `work` runs, from the system's
 * TCP socket counters. Does not count connections that are closed during the run.
 */
export async function bytesBetweenNodes(work: () => Promise<unknown>): Promise<number> {
  const before = await bytesSent();
  await work();
  let sum = 0;
  for (const [socket, bytes] of await bytesSent()) sum += bytes - (before.get(socket) ?? 0);
  return sum;
}

/** The bytes that each socket between servers has sent: both ends of a connection are sockets of this machine. */
async function bytesSent(): Promise<ReadonlyMap<string, number>> {
  const filter = NODE_PORTS.map((port) => `sport = :${port} or dport = :${port}`).join(" or ");
  const { stdout } = await promisify(execFile)("ss", ["-tinHO", "state", "established", `( ${filter} )`]);
  const sockets = stdout.split("\n").filter((line) => line !== "");
  return new Map(
    sockets.map((line) => {
      const [, , local, peer] = line.split(/\s+/);
      return [`${local} ${peer}`, Number(/bytes_sent:(\d+)/.exec(line)?.[1] ?? 0)];
    }),
  );
}
