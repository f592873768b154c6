import { CommandFailure } from "../support/command-failure.js";

/** A broker cannot be used now. A retry may succeed. */
export class BrokerError extends CommandFailure {}

/** Does work with a broker's library. @throws BrokerError for its errors; errors of flags and files as they are. */
export async function withBrokerErrors<T>(url: URL, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw brokerErrorOf(url, cause);
  }
}

/** Converts a library's error. Errors of flags and files remain as they are. */
export function brokerErrorOf({ href }: URL, cause: unknown): CommandFailure {
  if (cause instanceof CommandFailure) return cause;
  const { message, code } = cause as NodeJS.ErrnoException;
  // Errors of several addresses together have no message.
  return new BrokerError(`${href}: ${message === "" ? code : message}`, { cause });
}

/** A message that a broker has delivered, and keeps until it is acknowledged. */
export interface Delivery {
  /** Events as NDJSON. */
  readonly data: Uint8Array;
  /** Acknowledges the message. If the connection is lost, the broker delivers the message again. */
  acknowledge(): void;
  /**
   * Moves the message to the dead-letter destination.
   *
   * @throws BrokerError if the broker has not confirmed that the message is stored there.
   */
  deadLetter(reason: string): Promise<void>;
}

export interface BatchLimits {
  readonly messages: number;
  /** Maximum time to wait for further messages, in milliseconds. */
  readonly waitMs: number;
}

export interface Broker {
  /**
   * Waits for messages until the batch is complete or the time is over. Connects if there is no connection.
   *
   * @param signal ends the wait. Messages received before are returned.
   * @returns received messages; none if no message has arrived in time.
   * @throws BrokerError if there is no connection, or it is lost.
   */
  receive(limits: BatchLimits, signal: AbortSignal): Promise<readonly Delivery[]>;
  /** Sends pending acknowledgements and closes the connection. The broker delivers all other messages again. */
  disconnect(): Promise<void>;
}
