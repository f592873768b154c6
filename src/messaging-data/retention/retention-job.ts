import type { Day } from "../../model/day.js";
import type { RetentionStore } from "../../store/retention-store.js";
import type { Job } from "../jobs/job.js";
import { expiredAt, expiredSince, type Retention } from "./expired-days.js";

/**
 * The job that ends old days, the oldest first: seals those older than the retention, and removes what need
 * not be kept. Sealing comes with each look for work, since it also applies to days and projects without
 * data.
 *
 * @param time returns the time by which days end, in milliseconds since the Unix epoch; `undefined` while it is not known.
 */
export const retentionJob = (
  store: RetentionStore,
  retention: Retention,
  time: () => Promise<number | undefined>,
): Job => ({
  name: "retention",
  dueProjects: async () => {
    const now = await time();
    const expired = now === undefined ? undefined : expiredAt(now, retention);
    if (now === undefined || expired === undefined) return [];
    await store.seal(expired.sealedUntil);
    const projects = await store.expiredProjects(expired.entriesUntil);
    return projects.map(({ project, days, oldest }) => ({
      project,
      days,
      since: expiredSince(oldest, now, retention),
    }));
  },
  dueDays: async ({ project, after, limit }) => {
    const entriesUntil = entriesUntilAt(await time(), retention);
    return store.expiredDays({ project, entriesUntil, after, limit });
  },
  run: async (project, days) => store.removeExpired(project, days, entriesUntilAt(await time(), retention)),
});

const entriesUntilAt = (now: number | undefined, retention: Retention): Day | undefined =>
  now === undefined ? undefined : expiredAt(now, retention)?.entriesUntil;
