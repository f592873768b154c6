export interface DeadLetter {
  readonly text: string;
  readonly reason: string;
}

/** A message broker with a stream or queue of events. */
export interface TestBroker {
  /** Options of `waybill consume` for the stream or queue. */
  readonly flags: readonly string[];
  /** Publishes messages, and waits until the broker has stored them. */
  publish(messages: readonly string[]): Promise<void>;
  /** Number of messages that are not acknowledged. Messages in a running consumer may be omitted. */
  pending(): Promise<number>;
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Removes all messages. */
  clear(): Promise<void>;
  /** Ends the broker with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, with the same data and port. */
  start(): Promise<void>;
  /** Ends it and everything that it needs. */
  stop(): Promise<void>;
}
