import type { RetentionTime } from "../../messaging-data/jobs/retention.js";
import type { MirrorTerms } from "../../mirror/gaps/gaps-of-app.js";
import { gapsByApp, KnownGaps } from "../../mirror/gaps/known-gaps.js";
import { gapFigures, type MirrorGaps } from "../../mirror/gaps/mirror-gap.js";
import { MirrorJob, type MirrorObserver } from "../../mirror/mirror-job.js";
import type { ProjectMirror } from "../../mirror/mirror-state.js";
import { countsOf } from "../../mirror/round/walk-app.js";
import { GoogleCredentials } from "../../mirror/upstream/google-credentials.js";
import { HttpUpstream } from "../../mirror/upstream/http-upstream.js";
import { type Clock, DAY_MS } from "../../model/clock.js";
import { dayOf } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import type { Store } from "../../store/store.js";
import type { MirrorKeys } from "../config/delivery-data-source.js";
import type { Closable } from "../open-parts.js";
import { type MirrorFigures, MirrorMetrics } from "../operators/mirror-metrics.js";
import type { ServerParts } from "../server-parts.js";

type Parts = Pick<
  ServerParts,
  "config" | "control" | "metrics" | "logger" | "failures" | "clock" | "dayClock"
>;

export interface Mirror {
  readonly project: Project;
  readonly job: MirrorJob;
}

export interface Mirrors extends Closable {
  readonly all: readonly Mirror[];
  readonly gaps: MirrorGaps;
  /** The upstream responses that the mirrors have stored. */
  readonly responses: Pick<MirrorStore, "readResponses">;
}

export function startMirrors(store: Store, time: RetentionTime, parts: Parts): Mirrors {
  const { config, control, metrics, dayClock } = parts;
  const configured = config.projects.flatMap(({ id, number, deliveryData }) => {
    if (deliveryData.source !== "mirror") return [];
    const keys = deliveryData.mirror;
    return [{ project: { id, number }, keys, terms: termsOf(keys) }];
  });
  const termsOfProjects = new Map(configured.map(({ project, terms }) => [project.number, terms]));
  const gaps = new KnownGaps(control.records, termsOfProjects, dayClock);
  const readFigures = async (): Promise<readonly MirrorFigures[]> => {
    const now = dayClock.wall();
    const figures: MirrorFigures[] = [];
    // Reads the mirrors one by one. Parallel reads would block other work for longer.
    for (const { project, job, terms } of all) {
      figures.push({
        project: project.number,
        gaps: await gapFigures(gapsByApp(job.known, terms, now), dayOf(now)),
        age: ageOf(job.known, now) / 1000,
        windowDays: terms.windowDays,
      });
    }
    return figures;
  };
  const mirrorMetrics = new MirrorMetrics(metrics.registry, readFigures);
  const all = configured.map(({ project, keys, terms }) => ({
    project,
    terms,
    job: new MirrorJob({
      project: project.number,
      upstream: upstreamOf(project, keys, dayClock),
      apps: keys.apps,
      schedule: keys.schedule,
      retention: config.messagingData.retention,
      retentionTime: time,
      store,
      records: control.records,
      leases: control.leases,
      clock: parts.clock,
      dayClock,
      observer: observerOf(project.number, mirrorMetrics, parts),
    }),
  }));
  for (const { job } of all) job.runner.start();
  return {
    all,
    gaps,
    responses: store,
    close: async () => {
      await Promise.all(all.map(({ job }) => job.runner.stop(0)));
    },
  };
}

const termsOf = ({ apps, schedule, delay, window }: MirrorKeys): MirrorTerms => ({
  apps,
  schedule,
  delay,
  windowDays: window / DAY_MS,
});

/** Creates a mirror's upstream. @param dayClock clock for the times of responses and the dates of entries. */
function upstreamOf(
  { id }: Project,
  { url, project = id, appsUrl, credentialsFile, scope }: MirrorKeys,
  dayClock: Clock,
): HttpUpstream {
  const credentials = new GoogleCredentials({ file: credentialsFile, scope, project });
  const today = () => dayOf(dayClock.wall());
  return new HttpUpstream({ url, project, appsUrl, credentials, clock: dayClock, today });
}

/** Returns the time since the least recently completed app was read, in milliseconds. */
const ageOf = ({ apps }: ProjectMirror, now: number): number =>
  [...apps.values()].reduce((longest, { round, since }) => Math.max(longest, now - (round ?? since)), 0);

/** Counts a mirror's rounds. Of several consecutive failures, only the first is logged. */
function observerOf(
  project: string,
  { rounds }: MirrorMetrics,
  { metrics, logger, failures }: Parts,
): MirrorObserver {
  for (const result of ["done", "failed"]) rounds.inc({ project, result }, 0);
  return {
    walked: (walk, before) => {
      const { appId, pages, error, problems } = walk;
      logger.debug({ project, appId, pages, ...countsOf(walk) }, "read an app from upstream");
      if (problems.length > 0) {
        logger.warn({ project, appId, problems }, "upstream responses have an unknown format");
      }
      if (error !== undefined) {
        const level = before?.kind === error.kind ? "debug" : "warn";
        const what = { project, appId, kind: error.kind, problem: error.message };
        logger[level](what, "cannot read an app from upstream; will try again");
      } else if (before !== undefined) {
        logger.info({ project, appId, failures: before.count }, "can read an app from upstream again");
      }
    },
    unlisted: ({ kind, message: problem }, before) => {
      const level = before?.kind === kind ? "debug" : "warn";
      logger[level]({ project, kind, problem }, "cannot list upstream apps; will try again");
    },
    ended: (summary, milliseconds, stopped) => {
      const isDone = summary.failed === 0 && stopped === undefined;
      rounds.inc({ project, result: isDone ? "done" : "failed" });
      const what = { project, ...summary, durationMs: Math.round(milliseconds) };
      logger.info(what, isDone ? "mirrored a project" : "mirrored only a part of a project");
    },
    failed: (error) => {
      metrics.storeErrors.inc({ caller: "mirror" });
      failures.failed({ project }, error, "mirroring failed; will try again");
    },
  };
}
