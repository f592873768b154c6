import { WaybillError } from "@waybill/client";
import { backoffMs, pause } from "@waybill/client/support";
import { problemOf } from "../support/command-failure.js";
import type { BatchLimits, Broker, Delivery } from "./broker.js";
import type { ConsumeLog } from "./consume-log.js";
import { checkTarget, type ImportTarget, importDeliveries } from "./import-deliveries.js";

/** Pauses after failures. */
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };

/** Maximum time to disconnect, in milliseconds. A suspended broker does not respond. */
const MAX_DISCONNECT_MS = 5_000;

/** What {@link consumeMessages} needs. */
export interface Consumption {
  readonly broker: Broker;
  readonly target: ImportTarget;
  readonly limits: BatchLimits;
  readonly log: ConsumeLog;
  /** Ends the consumption after the current batch. */
  readonly signal: AbortSignal;
}

/**
 * Imports messages batch by batch, and acknowledges each after the server has stored its events. Retries failures
 * without end, and receives nothing until the current batch is imported.
 */
export async function consumeMessages(consumption: Consumption): Promise<void> {
  const { broker, target, limits, log, signal } = consumption;
  try {
    await untilDone(() => checkTarget(target), consumption);
    while (!signal.aborted)
      await untilDone(async () => {
        try {
          const deliveries = await broker.receive(limits, signal);
          if (deliveries.length > 0) await consumeBatch(deliveries, consumption);
        } catch (error) {
          await disconnect(broker);
          throw error;
        }
      }, consumption);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    await disconnect(broker);
    log.end();
  }
}

async function disconnect(broker: Broker): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([broker.disconnect(), pause(MAX_DISCONNECT_MS, done.signal)]);
  } finally {
    done.abort();
  }
}

async function consumeBatch(deliveries: readonly Delivery[], consumption: Consumption): Promise<void> {
  const outcome = await untilDone(() => importDeliveries(deliveries, consumption.target), consumption);
  const invalid = new Set(outcome.invalid.map(({ delivery }) => delivery));
  for (const delivery of deliveries) if (!invalid.has(delivery)) delivery.acknowledge();
  await Promise.all(outcome.invalid.map(({ delivery, reason }) => delivery.deadLetter(reason)));
  consumption.log.imported(deliveries.length, outcome);
}

/**
 * Repeats work until it succeeds. Waits before each repetition, at least for the server's `Retry-After`.
 *
 * @throws unexpected errors of the work, or the abort reason if the signal aborts before success.
 */
async function untilDone<T>(work: () => Promise<T>, { log, signal }: Consumption): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const problem = problemOf(error);
      if (error === signal.reason || problem === undefined) throw error;
      signal.throwIfAborted();
      const retryAfterMs = (error instanceof WaybillError ? error.retryAfterMs : undefined) ?? 0;
      const waitMs = retryAfterMs + backoffMs(failures, BACKOFF);
      log.retrying(problem, waitMs);
      await pause(waitMs, signal);
    }
  }
}
