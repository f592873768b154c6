import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

const SLOWEST = 20;

/** Ends a run with its slowest files, the reasons for skipped tests, and the line `N passed, N failed, N skipped`. */
export default class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const slowest = modules
      .map((module) => ({
        name: relative(process.cwd(), module.moduleId),
        seconds: module.diagnostic().duration / 1_000,
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST);
    console.log(`\nSlowest files, in seconds:`);
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);

    const count = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Map<string, number>();
    for (const module of modules) {
      const { note } = module.meta();
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed" || result.state === "failed") count[result.state]++;
        else if (result.state === "skipped" || note !== undefined) {
          count.skipped++;
          const reason = (result.state === "skipped" ? result.note : note) ?? "not selected";
          const row = `${reason}: ${relative(process.cwd(), module.moduleId)}`;
          skipped.set(row, (skipped.get(row) ?? 0) + 1);
        } else count.failed++;
      }
      // Counts files that cannot be loaded, and failing hooks.
      count.failed += module.errors().length;
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
    }
    count.failed += errors.length;
    if (skipped.size > 0) console.log("\nSkipped:");
    for (const [row, tests] of [...skipped].sort()) console.log(`${String(tests).padStart(7)}  ${row}`);
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
