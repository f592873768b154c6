import type { EntriesSelection } from "#console/api/requests.js";
import { isoDate } from "#console/model/days/day-range.js";

/**
 * Makes a file name without extension, such as `outcomes_1-1234-android-0a1b_2025-03-01_2025-03-28`. Replaces
 * the characters of app ids that file names cannot contain.
 */
export function fileNameOf(name: string, { app, range }: EntriesSelection): string {
  const appId = app === "-" ? "all-apps" : app.replace(/[^\w.-]+/g, "-");
  return [name, appId, isoDate(range.first), isoDate(range.last)].join("_");
}
