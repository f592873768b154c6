import type { BrowserContext, Page } from "playwright-core";

// Code that runs in the page is a string, because this folder has no DOM types.

/** Records every task that blocks a page of the context for more than 50 ms (W3C Long Tasks). */
export const noteLongTasks = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    globalThis.longTaskDurations = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTaskDurations.push(duration);
    }).observe({ type: "longtask", buffered: true });
  `);

/** Duration of the longest task since the last call, in milliseconds; 0 without long tasks. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(`
    new Promise((resolve) => {
      // The task that is noted last has ended two frames later.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => setTimeout(() => resolve(Math.max(0, ...longTaskDurations.splice(0))))),
      );
    })
  `);

/** Runs a task with a constant amount of work in the page: about 100 ms on the reference machine. */
export const runCalibratedTask = (page: Page): Promise<void> =>
  page.evaluate(`
    new Promise((resolve) =>
      setTimeout(() => {
        let hash = 0;
        const rows = Array.from({ length: 60_000 }, (_, i) => ({ label: "label-" + ((i * 7_919) % 60_000), count: i }));
        rows.sort((a, b) => a.label.localeCompare(b.label));
        for (const { count } of JSON.parse(JSON.stringify(rows))) hash = (hash * 31 + count) | 0;
        globalThis.calibrated = hash;
        resolve();
      }),
    )
  `);
