import type { BrowserContext, Page } from "playwright-core";

declare global {
  /** Durations in milliseconds of the long tasks of a page (W3C Long Tasks) that nobody asked for yet. */
  var longTaskDurations: number[];
}

/** Records every task that blocks a page of the context for more than 50 ms. */
export const noteLongTasks = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    globalThis.longTaskDurations = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTaskDurations.push(duration);
    }).observe({ type: "longtask", buffered: true });
  });

/** Duration of the longest task since the last call, in milliseconds; 0 without long tasks. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        // The task that is noted last has ended two frames later.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve(Math.max(0, ...longTaskDurations.splice(0))))),
        );
      }),
  );
