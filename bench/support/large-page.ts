import type { Target } from "./attack.js";

/** The most entries that a page has. */
export const LARGEST_PAGE = 10_000;
/** Pages of so many different sizes are asked for, more than caches keep. */
const SIZES = 100;

/** The path of a page of about 2 MB; that of the next index is another one. */
export function largePage({ project, app }: Target, index: number): string {
  const pageSize = LARGEST_PAGE - (index % SIZES);
  return `/v1beta1/projects/${project}/androidApps/${app}/deliveryData?pageSize=${pageSize}`;
}
