import type { Page } from "playwright-core";

/**
 * Holds back a page's requests for addresses that match a pattern.
 *
 * @returns lets them through, and all later ones.
 */
export async function holdRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
