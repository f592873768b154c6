import { createRequire } from "node:module";
import type Axe from "axe-core";
import type { Page } from "playwright-core";

const { source: AXE } = createRequire(import.meta.url)("axe-core") as { source: string };

declare global {
  /** Defined in pages that ran {@link AXE}. */
  var axe: typeof Axe;
}

/** Returns the violations that axe finds, and whether the page is wider than the screen. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Uses the debugger, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    // The results of passed checks have megabytes. Transferring them is slower than the checks.
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    const hiddenWidth = document.documentElement.scrollWidth - innerWidth;
    return hiddenWidth <= 0 ? found : [...found, `${hiddenWidth} px are right of the screen`];
  });
}
