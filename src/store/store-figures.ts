/** Size of a store and of its unfinished work. */
export interface StoreFigures {
  /** Bytes on disk by kind, such as `data`, `free` and `log`; the kinds are those of the engine. */
  readonly bytes: Readonly<Record<string, number>>;
  /**
   * Number of states of messages, one for each message and day; more while an engine has not merged all of what it has
   * of a message.
   */
  readonly messages: number;
  /** Number of events that are not merged into states yet. */
  readonly waitingEvents: number;
  /** Number of days of projects with such events. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of days of projects that are sealed, among those that had events. */
  readonly sealedDays: number;
}
