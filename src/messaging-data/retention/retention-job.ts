import type { RetentionStore } from "../../store/retention-store.js";
import type { Job } from "../jobs/job.js";
import { expiredAt, expiredSince, type Retention } from "./expired-days.js";

/**
 * The job that ends old days, the oldest first: seals those older than the retention, and removes what need
 * not be kept. Sealing comes with each look for work, since it also applies to days and projects without
 * data.
 *
 * @param wall returns the time, in milliseconds since the Unix epoch.
 */
export const retentionJob = (store: RetentionStore, retention: Retention, wall: () => number): Job => ({
  name: "retention",
  dueProjects: async () => {
    const now = wall();
    const expired = expiredAt(now, retention);
    if (expired === undefined) return [];
    await store.seal(expired.sealedUntil);
    const projects = await store.expiredProjects(expired.entriesUntil);
    return projects.map(({ project, days, oldest }) => ({
      project,
      days,
      since: expiredSince(oldest, now, retention),
    }));
  },
  dueDays: ({ project, after, limit }) => {
    const entriesUntil = expiredAt(wall(), retention)?.entriesUntil;
    return store.expiredDays({ project, entriesUntil, after, limit });
  },
  run: (project, days) => store.removeExpired(project, days, expiredAt(wall(), retention)?.entriesUntil),
});
