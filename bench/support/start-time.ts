import { type Comparison, duration, type Measurement } from "./measurement.js";
import { startWaybill } from "./waybill-server.js";

/** Starts a server and returns the time until it was ready, in milliseconds. */
export async function startTime(directory: string): Promise<number> {
  const server = await startWaybill(directory);
  await server.stop();
  return server.startMs;
}

/** Formats the start with much data, compared with little data. Its target is a maximum difference in milliseconds. */
export function startLine(what: string, { waybill, reference }: Comparison, most: number): Measurement {
  const difference = waybill - reference;
  return {
    what: `start with ${what}`,
    waybill: duration(waybill),
    reference: duration(reference),
    ratio: `${difference < 0 ? "-" : "+"}${duration(Math.abs(difference))}`,
    target: `≤ +${duration(most)}`,
    isMet: difference <= most,
  };
}
