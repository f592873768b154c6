import { withResolver } from "@waybill/client/support";
import type { Page } from "playwright-core";

/**
 * Holds back a page's requests for addresses that match a pattern.
 *
 * @returns lets them through, and all later ones.
 */
export async function holdRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = withResolver();
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
