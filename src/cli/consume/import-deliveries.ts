import { type ImportProgress, type WaybillClient, WaybillError } from "@waybill/client";
import type { Delivery } from "./broker.js";
import { EventLines, type InvalidDelivery, isBlank } from "./event-lines.js";

/** Where to import events. */
export interface ImportTarget {
  readonly client: Pick<WaybillClient, "importEvents">;
  /** Id or number of the project. */
  readonly project: string;
  /** Minimum request size, in bytes. */
  readonly batchBytes: number | undefined;
}

export interface Outcome extends Pick<ImportProgress, "importedCount" | "optedOutCount" | "tooLateCount"> {
  /** Messages that have invalid lines or no event. Valid lines in these messages are imported. */
  readonly invalid: readonly InvalidDelivery[];
}

const NOTHING: Outcome = { importedCount: 0, optedOutCount: 0, tooLateCount: 0, invalid: [] };

/** Checks the address, the project and the access token. @throws WaybillError if no event can be imported. */
export async function checkTarget({ client, project }: ImportTarget): Promise<void> {
  await client.importEvents({ project, events: [Buffer.from("\n")] });
}

/**
 * Imports the events of all messages, except for invalid lines.
 *
 * @throws WaybillError if some events may not be imported, for a reason other than their content.
 */
export async function importDeliveries(
  deliveries: readonly Delivery[],
  target: ImportTarget,
): Promise<Outcome> {
  const blank = deliveries.filter(isBlank);
  const outcome = await importContent(
    deliveries.filter((delivery) => !isBlank(delivery)),
    target,
  );
  return {
    ...outcome,
    invalid: [...blank.map((delivery) => ({ delivery, reason: "has no event" })), ...outcome.invalid],
  };
}

/**
 * The server lists only the first invalid lines of a request. If there are more, imports the messages without listed
 * lines again, because importing an event again changes nothing.
 */
async function importContent(deliveries: readonly Delivery[], target: ImportTarget): Promise<Outcome> {
  if (deliveries.length === 0) return NOTHING;
  const { client, project, batchBytes } = target;
  const lines = new EventLines(deliveries);
  let progress: ImportProgress;
  try {
    progress = await client.importEvents({ project, events: lines.chunks(), batchBytes, skipInvalid: true });
  } catch (error) {
    if (!(error instanceof WaybillError && isContentProblem(error))) throw error;
    return importHalves(deliveries, target, error);
  }
  const { importedCount, optedOutCount, tooLateCount, invalidCount, invalidLines } = progress;
  const invalid = lines.invalid(invalidLines);
  const outcome = { importedCount, optedOutCount, tooLateCount, invalid };
  if (new Set(invalidLines.map(({ line }) => line)).size === invalidCount) return outcome;
  if (invalid.length === 0) throw new Error("the server counted invalid lines, but listed none");
  const listed = new Set(invalid.map(({ delivery }) => delivery));
  const others = deliveries.filter((delivery) => !listed.has(delivery));
  return { ...outcome, invalid: [...invalid, ...(await importContent(others, target)).invalid] };
}

/** Returns true if a request was rejected due to its events. A proxy may reject large requests without a domain. */
const isContentProblem = ({ code, domain, httpStatus }: WaybillError): boolean =>
  httpStatus === 413 || (code === "INVALID_ARGUMENT" && domain === "messaging-data.waybill");

/** Finds out the messages due to which a whole request was rejected, such as one that is too large. */
async function importHalves(
  deliveries: readonly Delivery[],
  target: ImportTarget,
  error: WaybillError,
): Promise<Outcome> {
  const [delivery, ...others] = deliveries;
  if (delivery === undefined) return NOTHING;
  if (others.length === 0) return { ...NOTHING, invalid: [{ delivery, reason: error.message }] };
  const middle = deliveries.length >> 1;
  const a = await importContent(deliveries.slice(0, middle), target);
  const b = await importContent(deliveries.slice(middle), target);
  return {
    importedCount: a.importedCount + b.importedCount,
    optedOutCount: a.optedOutCount + b.optedOutCount,
    tooLateCount: a.tooLateCount + b.tooLateCount,
    invalid: [...a.invalid, ...b.invalid],
  };
}
