import { ANNOTATIONS, type AnnotationValues } from "../../annotations/annotations.js";
import { AppIncidents } from "../../incidents/list/app-incidents.js";
import { IncidentIds } from "../../incidents/list/incident-ids.js";
import { ProjectDays } from "../../incidents/list/project-days.js";
import { usualDatesOf } from "../../incidents/list/usual-dates.js";
import { aggregateHandler } from "../../messaging-data/delivery-data/aggregate-handler.js";
import { ResponseCache } from "../../messaging-data/delivery-data/versioned-cache.js";
import { EventWorkerPool } from "../../messaging-data/events/event-worker-pool.js";
import { ImportShares } from "../../messaging-data/events/import-shares.js";
import { lastListedDay as lastListedDayAt, listedSince } from "../../model/day.js";
import type { ListedDays } from "../../model/due-days.js";
import { ProjectResources } from "../../registry/project-resources.js";
import type { Timed } from "../../registry/resource-methods.js";
import { openStore } from "../../store/engines.js";
import type { Store } from "../../store/store.js";
import { TargetResults } from "../../targets/target-results.js";
import { TARGETS, type TargetValues } from "../../targets/targets.js";
import { LinkTokens } from "../../views/view-link.js";
import { VIEWS, type ViewValues } from "../../views/views.js";
import type { OpenParts } from "../open-parts.js";
import { pageTokenKey } from "../page-tokens.js";
import type { ServerParts } from "../server-parts.js";
import { expectSources, formerMirrors } from "./expect-sources.js";
import { retentionTime, rollupJob } from "./jobs.js";
import { startMirrors } from "./mirrors.js";
import { openWebhooks } from "./webhooks.js";

/** Parts of the messaging-data service that its handlers and jobs share. */
export type MessagingDataParts = Awaited<ReturnType<typeof openMessagingDataParts>>;

/**
 * Opens the store and everything that depends on it, and starts the mirrors.
 *
 * @throws the same errors as `openMessagingData`.
 */
export async function openMessagingDataParts(open: OpenParts, parts: ServerParts) {
  const { config, registry, pageTokens, control, principalCalls, dayClock } = parts;
  const { settleDelay, import: limits } = config.messagingData;
  const webhooks = await openWebhooks(parts);
  const store = open.add(await openStoreOf(parts));
  await expectSources(store, config.projects);
  const parser = open.add(new EventWorkerPool(limits.maxLineBytes, principalCalls));
  const lastListedDay = () => lastListedDayAt(dayClock.wall(), settleDelay);
  const listed = (): ListedDays => {
    const until = lastListedDay();
    return { until, since: listedSince(until, settleDelay) };
  };
  const shares = new ImportShares(limits.maxConcurrent, limits.maxRequestBytes, () =>
    rollups.runner.notice(),
  );
  const isBusy = (project: string) => shares.isImporting(project);
  const rollups = rollupJob(store, listed, isBusy, parts);
  const time = retentionTime(parts);
  const mirrors = open.add(startMirrors(store, time, parts));
  const mirrored = new Set([
    ...mirrors.all.map(({ project }) => project.number),
    ...(await formerMirrors(store, control.records, config.projects)),
  ]);
  // A mirror that was added by a reload starts only after a restart. Until then, the server must reject events for its
  // project.
  const isMirrored = (project: string) =>
    mirrored.has(project) || registry.project(project)?.isMirrored === true;
  const responses = new ResponseCache(store);
  const deliveryData = { store, tokens: pageTokens, responses, lastListedDay, isMirrored };
  const days = new ProjectDays(store);
  const incidents = new AppIncidents(store, isMirrored, days);
  return {
    webhooks,
    store,
    parser,
    shares,
    rollups,
    /** Time by which data expires. */
    time,
    mirrors,
    lastListedDay,
    isMirrored,
    deliveryData,
    aggregate: aggregateHandler({ ...deliveryData, usualDates: usualDatesOf(incidents) }),
    incidents,
    ids: new IncidentIds(control.records),
    days,
    results: new TargetResults({ store, days, isMirrored, lastListedDay }),
    annotations: new ProjectResources<Timed<AnnotationValues>>(control.records, ANNOTATIONS),
    targets: new ProjectResources<Timed<TargetValues>>(control.records, TARGETS),
    views: new ProjectResources<Timed<ViewValues>>(control.records, VIEWS),
    links: new LinkTokens(await pageTokenKey(config, control.records)),
  };
}

async function openStoreOf({ config, control, failures, dayClock }: ServerParts): Promise<Store> {
  const store = await openStore(config.store, {
    directory: config.dataDir,
    clock: dayClock,
    days: control.days,
    leases: control.leases,
    nameLimits: config.messagingData.import,
    onFailure: (error) => failures.failed({}, error, "the store failed and is being reopened"),
  });
  failures.checkBy("ClickHouse", async () => {
    await store.check();
    if (!(await store.hasImportQuorum())) throw new Error("imports do not reach a quorum");
  });
  return store;
}
