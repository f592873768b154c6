import { Random } from "../../src/simulator/random.js";
import type { Coverage } from "./coverage.js";
import { type Finding, findingOf } from "./finding.js";
import type { FuzzTarget } from "./fuzz-target.js";
import { minimize } from "./minimize.js";
import { Mutator } from "./mutator.js";

export interface CampaignOptions {
  /** The same seed and corpus produce the same inputs. */
  readonly seed: number;
  readonly corpus: readonly Buffer[];
  readonly inputs?: number;
  /** Milliseconds after which no further input is made. */
  readonly milliseconds?: number;
  /** Selects inputs to derive others from; without it, only the corpus serves as a source. */
  readonly coverage?: Coverage | undefined;
  /** Called with every input before each time it runs. */
  readonly onInput?: (input: Buffer) => void;
  /** Called from time to time with the number of inputs so far. */
  readonly onProgress?: (inputs: number) => void;
}

export interface CampaignResult {
  readonly inputs: number;
  readonly seconds: number;
  /** Inputs that reached code that no earlier input had reached. */
  readonly kept: readonly Buffer[];
  /** One for each kind of failure, with a minimized input. */
  readonly findings: readonly Finding[];
  /** Inputs of at most 16 KiB that repeatedly needed more than a second. */
  readonly slow: readonly Buffer[];
  /** Duration of the slowest input in milliseconds. */
  readonly slowestMs: number;
}

/** Inputs between two checks of the coverage. */
const BATCH = 1_000;
const MAX_BYTES = 4_096;
const MAX_SLOW_MS = 1_000;
const MAX_SLOW_BYTES = 16 * 1_024;
/** Retries of a slow input before it counts as slow, by processor time: other programs may have slowed it down. */
const SLOW_RETRIES = 2;
/** Maximum number of failure kinds before a campaign ends. */
const MAX_FINDINGS = 20;

/** Runs a target with its corpus, then with inputs derived from it. */
export async function runCampaign(target: FuzzTarget, options: CampaignOptions): Promise<CampaignResult> {
  await target.start?.();
  const campaign = new Campaign(target, options);
  try {
    await campaign.run();
  } finally {
    await campaign.stop();
  }
  return campaign.result();
}

class Campaign {
  readonly #target: FuzzTarget;
  readonly #options: CampaignOptions;
  readonly #random: Random;
  readonly #mutator: Mutator;
  readonly #parents: Buffer[];
  readonly #kept: Buffer[] = [];
  readonly #findings = new Map<string, Finding>();
  readonly #slow: Buffer[] = [];
  readonly #started = performance.now();
  #inputs = 0;
  #slowestMs = 0;

  constructor(target: FuzzTarget, options: CampaignOptions) {
    this.#target = target;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#mutator = new Mutator(target.words, target.maxBytes ?? MAX_BYTES);
    this.#parents = [...options.corpus];
  }

  async run(): Promise<void> {
    const { corpus, coverage, inputs = Number.POSITIVE_INFINITY, onProgress } = this.#options;
    for (const input of corpus) await this.#run(input);
    coverage?.grow();
    const last = this.#inputs + inputs;
    while (this.#inputs < last && !this.#isOver() && this.#findings.size < MAX_FINDINGS) {
      const batch: Buffer[] = [];
      while (batch.length < BATCH && this.#inputs < last && !this.#isOver()) {
        const input = this.#mutator.mutate(this.#parent(), this.#random, this.#parent());
        batch.push(input);
        await this.#run(input);
      }
      if (coverage?.hasGrown()) await this.#keep(batch, coverage);
      onProgress?.(this.#inputs);
      // Yields to the event loop, for timers and signals.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async stop(): Promise<void> {
    try {
      await this.#target.stop?.();
    } catch (error) {
      const finding = findingOf(error, Buffer.alloc(0));
      this.#findings.set(finding.signature, finding);
    }
  }

  result(): CampaignResult {
    return {
      inputs: this.#inputs,
      seconds: (performance.now() - this.#started) / 1_000,
      kept: this.#kept,
      findings: [...this.#findings.values()],
      slow: this.#slow,
      slowestMs: this.#slowestMs,
    };
  }

  #isOver(): boolean {
    const { milliseconds = Number.POSITIVE_INFINITY } = this.#options;
    return performance.now() - this.#started >= milliseconds;
  }

  /** Picks an input to derive others from; half of the picks are among the most recent ones. */
  #parent(): Buffer {
    const count = this.#parents.length;
    const recent = Math.min(count, 50);
    const at = this.#random.chance(0.5) ? this.#random.below(count) : count - 1 - this.#random.below(recent);
    return this.#parents[at] ?? Buffer.alloc(0);
  }

  async #run(input: Buffer): Promise<void> {
    this.#inputs++;
    this.#options.onInput?.(input);
    const started = performance.now();
    let thrown: unknown;
    try {
      const running = this.#target.run(input);
      if (running !== undefined) await running;
    } catch (error) {
      thrown = error ?? new Error("threw nothing");
    }
    const took = performance.now() - started;
    if (took > this.#slowestMs) this.#slowestMs = took;
    if (took > MAX_SLOW_MS && input.length <= MAX_SLOW_BYTES) await this.#checkSlow(input);
    if (thrown !== undefined) await this.#add(findingOf(thrown, input));
  }

  async #checkSlow(input: Buffer): Promise<void> {
    for (let retry = 0; retry < SLOW_RETRIES; retry++) {
      const started = process.cpuUsage();
      await this.#findingOf(input);
      const { user, system } = process.cpuUsage(started);
      if ((user + system) / 1_000 <= MAX_SLOW_MS) return;
    }
    this.#slow.push(input);
  }

  async #add(finding: Finding): Promise<void> {
    if (this.#findings.has(finding.signature)) return;
    const input = await minimize(
      finding.input,
      async (smaller) => (await this.#findingOf(smaller))?.signature === finding.signature,
    );
    this.#findings.set(finding.signature, { ...finding, ...(await this.#findingOf(input)) });
  }

  async #findingOf(input: Buffer): Promise<Finding | undefined> {
    this.#options.onInput?.(input);
    try {
      await this.#target.run(input);
      return undefined;
    } catch (error) {
      return findingOf(error, input);
    }
  }

  /** Keeps a batch's inputs that reach new code, found by bisection. Stops when the time is over. */
  async #keep(batch: readonly Buffer[], coverage: Coverage): Promise<void> {
    const [only] = batch;
    if (only === undefined) return;
    for (const input of batch) {
      if (this.#isOver()) return;
      await this.#findingOf(input);
    }
    if (batch.length === 1) {
      if (!coverage.grow()) return;
      this.#parents.push(only);
      this.#kept.push(only);
    } else if (coverage.hasGrown()) {
      const middle = batch.length >> 1;
      await this.#keep(batch.slice(0, middle), coverage);
      await this.#keep(batch.slice(middle), coverage);
    }
  }
}
