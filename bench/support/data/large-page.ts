import type { Target } from "../reads/attack.js";

/** Maximum number of entries on a page. */
export const MAX_PAGE_SIZE = 10_000;
/** Number of different page sizes requested, more than caches keep. */
const SIZES = 100;

/** Query parameters that change a response's form, by name. */
export const SHAPES = [
  ["prettyPrint", "prettyPrint=true"],
  ["fields", "fields=androidDeliveryData(appId,date,data(messageOutcomePercents))"],
] as const;

/** Path of a page of about 2 MB; consecutive indexes have different pages. */
export function largePage({ project, app }: Pick<Target, "project" | "app">, index: number): string {
  const pageSize = MAX_PAGE_SIZE - (index % SIZES);
  return `/v1beta1/projects/${project}/androidApps/${app}/deliveryData?pageSize=${pageSize}`;
}
