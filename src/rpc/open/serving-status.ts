import { HealthCheckResponse_ServingStatus as Status } from "../../gen/health/v1/health_pb.js";

/** Interval between checks of a watched server, in milliseconds. */
const LOOK_INTERVAL = 1_000;

/** Checks whether a server can handle calls: on request, and once a second for all watchers together. */
export class ServingStatus {
  readonly #ready: () => Promise<void>;
  readonly #stopping: AbortSignal;
  #latest = Status.UNKNOWN;
  /** The check in progress. */
  #look: Promise<void> | undefined;
  /** Wakes each watcher that waits for a change. */
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param ready rejects while the server cannot serve.
   * @param stopping aborts when the server stops.
   */
  constructor(ready: () => Promise<void>, stopping: AbortSignal) {
    this.#ready = ready;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => {
      this.#latest = Status.NOT_SERVING;
      this.#wakeAll();
    });
  }

  /** Returns the current status. Concurrent callers share one check. */
  async now(): Promise<Status> {
    this.#look ??= this.#ready()
      .then(
        () => Status.SERVING,
        () => Status.NOT_SERVING,
      )
      .then((status) => {
        this.#look = undefined;
        this.#note(this.#stopping.aborted ? Status.NOT_SERVING : status);
      });
    await this.#look;
    return this.#latest;
  }

  /**
   * Yields the current status, and again whenever it may have changed, until the server stops.
   *
   * @throws the abort reason of `signal`.
   */
  async *watch(signal: AbortSignal): AsyncGenerator<Status> {
    let last = await this.now();
    yield last;
    while (!this.#stopping.aborted || last !== this.#latest) {
      await this.#changeFrom(last, signal);
      signal.throwIfAborted();
      last = this.#latest;
      yield last;
    }
  }

  #note(status: Status): void {
    if (status === this.#latest) return;
    this.#latest = status;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #changeFrom(last: Status, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) clearInterval(this.#timer);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      if (this.#waiting.size === 1) this.#timer = setInterval(() => this.now(), LOOK_INTERVAL);
      signal.addEventListener("abort", wake);
      // The status may have changed before this listener was added.
      if (this.#latest !== last || signal.aborted || this.#stopping.aborted) wake();
    });
  }
}
