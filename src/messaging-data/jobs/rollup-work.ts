import type { ProjectWork } from "../../jobs/project-work.js";
import type { ListedDays } from "../../model/due-days.js";
import type { MessageEventStore } from "../../store/message-event-store.js";

export type RollupStore = Pick<
  MessageEventStore,
  "staleProjects" | "staleDays" | "rollUp" | "countsWholeDays" | "rollUpMs"
>;

/** Maximum pause between two rollups of the same day if each rollup counts the whole day again, in milliseconds. */
const MAX_REST_OF_WHOLE_DAY = 60_000;

/**
 * Creates background work that rolls up each listed day soon after its events have changed, recent days first. A rollup
 * may be repeated, because its result only depends on the day's events.
 *
 * @param listed returns the days that are listed now.
 * @param isBusy returns true while the project receives events.
 */
export const rollupWork = (
  store: RollupStore,
  listed: () => ListedDays,
  isBusy: (project: string) => boolean = () => false,
): ProjectWork => ({
  name: "rollup",
  isBusy,
  ...(store.countsWholeDays && { maxRest: MAX_REST_OF_WHOLE_DAY }),
  dueProjects: () => store.staleProjects(listed()),
  dueDays: ({ project, after, limit }) =>
    store.staleDays({ project, listed: listed(), before: after, limit }),
  isParallel: true,
  run: (project, days, fence, signal) => store.rollUp(project, days, fence, signal),
  workMs: () => store.rollUpMs,
});
