import type { Profiler } from "node:inspector";
import { Session } from "node:inspector";

/**
 * Which parts of the sources have run, as V8 counts it for each block of code: what shows that an input has reached
 * something new.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #isCounted: (url: string) => boolean;
  /** Which characters of each script have run. */
  readonly #covered = new Map<string, Uint8Array>();

  /** @param isCounted which scripts count, by their URLs. */
  constructor(isCounted: (url: string) => boolean) {
    this.#isCounted = isCounted;
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Whether anything new has run since the last look, without remembering it. */
  hasGrown(): boolean {
    return this.#look(false);
  }

  /** Whether anything new has run since the last look, which from now on is known. */
  grow(): boolean {
    return this.#look(true);
  }

  /** How many characters of the sources have run. */
  get size(): number {
    let size = 0;
    for (const script of this.#covered.values()) for (const covered of script) size += covered;
    return size;
  }

  stop(): void {
    this.#session.disconnect();
  }

  #look(remember: boolean): boolean {
    let grown = false;
    for (const { url, functions } of this.#take()) {
      if (!this.#isCounted(url)) continue;
      for (const { ranges } of functions) {
        if (this.#cover(url, ranges, remember)) {
          grown = true;
          if (!remember) return true;
        }
      }
    }
    return grown;
  }

  /** Marks what ran of one function. Its ranges lie within each other; the innermost counts. */
  #cover(url: string, ranges: readonly Profiler.CoverageRange[], remember: boolean): boolean {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const { startOffset: from, endOffset: to } = whole;
    const ran = new Uint8Array(to - from);
    for (const { startOffset, endOffset, count } of ranges) {
      ran.fill(count > 0 ? 1 : 0, startOffset - from, endOffset - from);
    }
    const covered = this.#scriptOf(url, to);
    let grown = false;
    for (let at = 0; at < ran.length; at++) {
      if (ran[at] === 1 && covered[from + at] === 0) {
        grown = true;
        if (!remember) break;
        covered[from + at] = 1;
      }
    }
    return grown;
  }

  #scriptOf(url: string, length: number): Uint8Array {
    let covered = this.#covered.get(url);
    if (covered === undefined || covered.length < length) {
      const larger = new Uint8Array(2 * length);
      larger.set(covered ?? []);
      covered = larger;
      this.#covered.set(url, covered);
    }
    return covered;
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    return taken;
  }

  /** The session answers before it returns. */
  #post(method: "Profiler.enable"): void;
  #post(
    method: "Profiler.startPreciseCoverage",
    parameters: Profiler.StartPreciseCoverageParameterType,
  ): void;
  #post(method: string, parameters?: object): void {
    this.#session.post(method, parameters, (error) => {
      if (error !== null) throw error;
    });
  }
}
