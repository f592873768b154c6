import { type Comparison, compare } from "../measurement.js";
import { Process } from "../process.js";
import type { Scale } from "../row.js";
import { type BytesResponse, fetchBytes } from "./fetch-bytes.js";
import { requestsPerSecond } from "./load.js";

/** Measures how many identical responses per second Waybill and a bare server return for the same request. */
export async function compareWithBareServer(url: string, token: string, scale: Scale): Promise<Comparison> {
  const response = await fetchBytes(url, token);
  const bare = new Process<BytesResponse, string>("bare-server");
  try {
    const bareUrl = await bare.ask(response);
    for (const warmedUp of [url, bareUrl]) await requestsPerSecond(warmedUp, token, 1);
    return await compare(
      scale.runs,
      () => requestsPerSecond(url, token, scale.seconds),
      () => requestsPerSecond(bareUrl, token, scale.seconds),
    );
  } finally {
    await bare.stop();
  }
}
