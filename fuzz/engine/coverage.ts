import type { Profiler } from "node:inspector";
import { Session } from "node:inspector";

/**
 * Records which parts of the sources have run, from V8's counters for blocks of code. New coverage shows that
 * an input reached something new. Of a function that ran before, V8 counts only whole calls, so that a process needs a
 * single instance from its start.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #isCounted: (url: string) => boolean;
  /** For each script, 1 at each character that has run. */
  readonly #covered = new Map<string, Uint8Array>();

  /** @param isCounted selects scripts by URL. */
  constructor(isCounted: (url: string) => boolean) {
    this.#isCounted = isCounted;
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Returns true if new code has run since the last check, without recording it. */
  hasGrown(): boolean {
    return this.#compare({ isRecorded: false });
  }

  /** Returns true if new code has run since the last check, and records it. */
  grow(): boolean {
    return this.#compare({ isRecorded: true });
  }

  /** Starts again without any coverage. */
  reset(): void {
    this.#take();
    this.#covered.clear();
  }

  stop(): void {
    this.#session.disconnect();
  }

  #compare({ isRecorded }: { readonly isRecorded: boolean }): boolean {
    let grown = false;
    for (const { url, functions } of this.#take()) {
      if (!this.#isCounted(url)) continue;
      for (const { ranges } of functions) {
        if (this.#cover(url, ranges, isRecorded)) {
          grown = true;
          if (!isRecorded) return true;
        }
      }
    }
    return grown;
  }

  /** Returns true if a function's new parts have run. Its ranges are nested; the innermost counts. */
  #cover(url: string, ranges: readonly Profiler.CoverageRange[], isRecorded: boolean): boolean {
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
        if (!isRecorded) break;
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

  /** The session responds synchronously. */
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
