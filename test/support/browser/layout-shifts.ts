import type { Page } from "playwright-core";
import { untilDrawn } from "./watched-page.js";

/** A movement of elements on a page (W3C Layout Instability). */
export interface LayoutShift {
  /** Share of the screen that moved, from 0 to 1. */
  readonly value: number;
  /** True if the movement may follow a click or a key. */
  readonly isExpected: boolean;
  /** Start of each moved element's HTML. */
  readonly moved: readonly string[];
}

/** An entry of the performance timeline, which is not in the TypeScript library. */
interface LayoutShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node?: Node | null }[];
}

declare global {
  var layoutShifts: LayoutShift[];
}

/** Records the movements on documents that the page loads from now on. */
export const noteLayoutShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    globalThis.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShiftEntry[]) {
        layoutShifts.push({
          value: entry.value,
          isExpected: entry.hadRecentInput,
          moved: entry.sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 80) : String(node?.nodeName),
          ),
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** The movements so far, once the current frame is drawn. */
export async function layoutShiftsOf(page: Page): Promise<LayoutShift[]> {
  await untilDrawn(page);
  return page.evaluate(() => layoutShifts);
}
