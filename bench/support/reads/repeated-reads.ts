import { join } from "node:path";
import type { PeerQuestion, StartedPeer } from "../../peers/fastify-service.js";
import { type Comparison, compare } from "../measurement.js";
import { Process } from "../process.js";
import type { Scale } from "../row.js";
import { PROJECT } from "../waybill-server.js";
import { type BytesResponse, fetchBytes } from "./fetch-bytes.js";
import { requestsPerSecond } from "./load.js";

interface RepeatedRead {
  readonly url: string;
  readonly token: string;
}

/** Measures how many identical responses per second Waybill and a bare server return for the same request. */
export async function compareWithBareServer(read: RepeatedRead, scale: Scale): Promise<Comparison> {
  const response = await fetchBytes(read.url, read.token);
  const bare = new Process<BytesResponse, string>("bare-server");
  try {
    return await compareRates(read, { url: await bare.ask(response), token: read.token }, scale);
  } finally {
    await bare.stop();
  }
}

/**
 * Measures how many responses per second Waybill and the same service on Fastify return for the same request.
 *
 * @param directory directory for the peer's log.
 */
export async function compareWithPeer(
  read: RepeatedRead,
  scale: Scale,
  directory: string,
): Promise<Comparison> {
  const { body } = await fetchBytes(read.url, read.token);
  const { pathname, search } = new URL(read.url);
  const path = pathname + search;
  const peer = new Process<PeerQuestion, StartedPeer>("../peers/fastify-service");
  try {
    const { url, token } = await peer.ask({
      log: join(directory, "peer.log"),
      principal: "bench@example.com",
      projects: [PROJECT],
      resources: new Map([[path, JSON.parse(body.toString()) as object]]),
    });
    const response = await fetchBytes(url + path, token);
    if (!response.body.equals(body)) throw new Error(`${path}: the peer sends another body`);
    return await compareRates(read, { url: url + path, token }, scale);
  } finally {
    await peer.stop();
  }
}

async function compareRates(
  waybill: RepeatedRead,
  reference: RepeatedRead,
  scale: Scale,
): Promise<Comparison> {
  const rateOf = ({ url, token }: RepeatedRead, seconds: number): Promise<number> =>
    requestsPerSecond(url, token, seconds);
  for (const warmedUp of [waybill, reference]) await rateOf(warmedUp, 1);
  return compare(
    scale.readRuns,
    () => rateOf(waybill, scale.seconds),
    () => rateOf(reference, scale.seconds),
  );
}
