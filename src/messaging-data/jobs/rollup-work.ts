import type { ProjectWork } from "../../jobs/project-work.js";
import type { ListedDays } from "../../model/due-days.js";
import type { MessageEventStore } from "../../store/message-event-store.js";

/** The part of a store that rollups need. */
export type RollupStore = Pick<
  MessageEventStore,
  "staleProjects" | "staleDays" | "rollUp" | "countsWholeDays" | "rollUpMs"
>;

/** Longest rest of a day whose rollup counts the whole day, in milliseconds. */
const MAX_REST_OF_WHOLE_DAY = 60_000;

/**
 * The work that keeps the delivery data up to date: rolls up each listed day soon after its events have
 * changed, recent days first. A repeated rollup does no harm, since its result depends on the day's events
 * alone.
 *
 * @param listed returns the days that are listed now.
 * @param isBusy returns true while events of the project arrive.
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
