import type { BrowserContext, Page } from "playwright-core";

/** Records every task that blocks a page of the context for more than 50 ms (W3C Long Tasks). */
export async function noteLongTasks(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) longTasks.push({ startTime, duration });
    }).observe({ type: "longtask", buffered: true });
  `);
}

/** Duration of the longest task since the last call, in milliseconds; 0 without long tasks. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    // The task that is noted last has ended two frames later.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      resolve(Math.max(0, ...longTasks.splice(0).map(({ duration }) => duration)));
    })));
  })`);
