import { Random } from "../../src/simulator/random.js";
import type { Coverage } from "./coverage.js";
import { type Finding, findingOf } from "./finding.js";
import type { FuzzTarget } from "./fuzz-target.js";
import { minimize } from "./minimize.js";
import { Mutator } from "./mutator.js";

/** How long a campaign goes on, and with what. */
export interface CampaignOptions {
  /** The same seed and corpus make the same inputs. */
  readonly seed: number;
  /** What to start from. */
  readonly corpus: readonly Buffer[];
  /** Inputs to make, besides those of the corpus. */
  readonly inputs?: number;
  /** Milliseconds after which no other input is made. */
  readonly milliseconds?: number;
  /** Finds out which inputs are worth going on from; without it only those of the corpus are. */
  readonly coverage?: Coverage | undefined;
  /** Hears of every input before it runs. */
  readonly onInput?: (input: Buffer) => void;
  /** Hears from time to time how many inputs ran. */
  readonly onProgress?: (inputs: number) => void;
}

/** What came of a campaign. */
export interface CampaignResult {
  readonly inputs: number;
  readonly seconds: number;
  /** Inputs that reached what none before them had. */
  readonly kept: readonly Buffer[];
  /** One for each kind of failure, its input as small as it would get. */
  readonly findings: readonly Finding[];
  /** Inputs of at most 16 KiB that took longer than a second each time. */
  readonly slow: readonly Buffer[];
  /** Milliseconds that the slowest input took. */
  readonly slowestMs: number;
}

/** Inputs that run between two looks at the coverage. */
const BATCH = 1_000;
const MAX_BYTES = 4_096;
const MAX_SLOW_MS = 1_000;
const MAX_SLOW_BYTES = 16 * 1_024;
/** An input that was slow once is tried so often again. */
const SLOW_RETRIES = 2;
/** A target that fails in more ways is to be mended first. */
const MAX_FINDINGS = 20;

/** Runs a target with its corpus, then with inputs that are made from it. */
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
    const { corpus, coverage, inputs = Number.POSITIVE_INFINITY, milliseconds, onProgress } = this.#options;
    const deadline = this.#started + (milliseconds ?? Number.POSITIVE_INFINITY);
    for (const input of corpus) await this.#run(input);
    coverage?.grow();
    const last = this.#inputs + inputs;
    while (this.#inputs < last && performance.now() < deadline && this.#findings.size < MAX_FINDINGS) {
      const batch: Buffer[] = [];
      while (batch.length < BATCH && this.#inputs < last && performance.now() < deadline) {
        const input = this.#mutator.mutate(this.#parent(), this.#random, this.#parent());
        batch.push(input);
        await this.#run(input);
      }
      if (coverage?.hasGrown()) await this.#keep(batch, coverage);
      onProgress?.(this.#inputs);
      // Turns of the event loop, for timers and signals.
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

  /** One that others are made from; those that came last more often. */
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
      const started = performance.now();
      await this.#findingOf(input);
      if (performance.now() - started <= MAX_SLOW_MS) return;
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
    try {
      await this.#target.run(input);
      return undefined;
    } catch (error) {
      return findingOf(error, input);
    }
  }

  /** Keeps the inputs of a batch that reach something new: runs halves again, and halves of those that do. */
  async #keep(batch: readonly Buffer[], coverage: Coverage): Promise<void> {
    const [only] = batch;
    if (only === undefined) return;
    for (const input of batch) await this.#findingOf(input);
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
