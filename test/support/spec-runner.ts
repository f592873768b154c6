import type { RunnerTestFile } from "vitest";
import { TestRunner, vi } from "vitest";
import { takeSkipReason } from "./needs.js";

declare module "vitest" {
  interface TaskMeta {
    /** Reason to skip all tests of a file. */
    note?: string;
  }
}

const { NODE_OPTIONS } = process.env;
const RealDate = Date;

const exit = () => process.exit(1);

/**
 * Runs specs one after another in the same process, which saves a start for each. After each spec, removes all modules
 * from the cache, and restores the date and `NODE_OPTIONS`, which `today.ts` changes. Skips the tests of specs with a
 * requirement that is not installed.
 */
export default class SpecRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    const note = takeSkipReason();
    if (note === undefined) return;
    for (const file of files) {
      file.mode = "skip";
      file.meta.note = note;
    }
  }

  onBeforeRunFiles(): void {
    // Otherwise, this process and its servers would continue to run if the test runner is killed.
    process.once("disconnect", exit);
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles();
    process.off("disconnect", exit);
    globalThis.Date = RealDate;
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = NODE_OPTIONS;
    vi.resetModules();
  }
}
