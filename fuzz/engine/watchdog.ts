import { Worker } from "node:worker_threads";

/** Processor time after which an input is considered endless, in milliseconds. A busy machine delays it, too. */
const MAX_RUN_MS = 60_000;
/** Time after which an input that waits is considered endless, in milliseconds. */
const MAX_WAIT_MS = 600_000;
const INTERVAL_MS = 1_000;
const MAX_BYTES = 1024 * 1024;

/** Code of the watchdog's thread: ends the process when the number of inputs stops changing. */
const GUARD = `
const { workerData: { shared, maxRunMs, maxWaitMs, intervalMs, file } } = require("node:worker_threads");
const { writeFileSync } = require("node:fs");
const [count, length] = [0, 1];
const state = new Int32Array(shared, 0, 2);
const usedMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;
let seen = 0;
let [begun, used] = [0, 0];
setInterval(() => {
  const now = Atomics.load(state, count);
  if (now !== seen || now === 0) [seen, begun, used] = [now, performance.now(), usedMs()];
  else if (usedMs() - used > maxRunMs || performance.now() - begun > maxWaitMs) {
    writeFileSync(file, Buffer.from(shared, 8, state[length]));
    process._rawDebug("An input does not end. It is in " + file);
    process.kill(process.pid, "SIGKILL");
  }
}, intervalMs);
`;

/** Ends the process if an input runs forever, which its own thread could not detect. */
export class Watchdog {
  readonly #state: Int32Array;
  readonly #bytes: Uint8Array;

  /** @param file where to save the endless input. */
  constructor(file: string) {
    const shared = new SharedArrayBuffer(8 + MAX_BYTES);
    this.#state = new Int32Array(shared, 0, 2);
    this.#bytes = new Uint8Array(shared, 8);
    new Worker(GUARD, {
      eval: true,
      workerData: { shared, maxRunMs: MAX_RUN_MS, maxWaitMs: MAX_WAIT_MS, intervalMs: INTERVAL_MS, file },
    }).unref();
  }

  /** Records an input's start. */
  begin(input: Buffer): void {
    this.#bytes.set(input.subarray(0, MAX_BYTES));
    this.#state[1] = Math.min(input.length, MAX_BYTES);
    Atomics.add(this.#state, 0, 1);
  }

  /** Records that no input is running. */
  end(): void {
    Atomics.store(this.#state, 0, 0);
  }
}
