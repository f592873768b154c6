import { ANNOTATIONS, type AnnotationValues, annotationHandlers } from "../../annotations/annotations.js";
import { type Caller, inEveryProject, inProject } from "../../api/caller.js";
import type { ServiceImplementation } from "../../api/service.js";
import { RateLimiter } from "../../auth/rate-limiter.js";
import { MessagingDataService } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AppIncidents } from "../../incidents/list/app-incidents.js";
import { IncidentIds } from "../../incidents/list/incident-ids.js";
import { listIncidentsHandler } from "../../incidents/list/list-incidents-handler.js";
import { ProjectDays } from "../../incidents/list/project-days.js";
import { usualDatesOf } from "../../incidents/list/usual-dates.js";
import { IncidentTriage } from "../../incidents/triage/incident-triage.js";
import { triageHandlers } from "../../incidents/triage/triage-handlers.js";
import { MAX_LINK_REQUESTS_PER_MINUTE, MAX_WEBHOOK_AT_STOP_MS } from "../../limits/data-limits.js";
import { aggregateHandler } from "../../messaging-data/delivery-data/aggregate-handler.js";
import { listHandler } from "../../messaging-data/delivery-data/list-handler.js";
import { ResponseCache } from "../../messaging-data/delivery-data/versioned-cache.js";
import { EventWorkerPool } from "../../messaging-data/events/event-worker-pool.js";
import { importHandler } from "../../messaging-data/events/import-handler.js";
import { ImportShares } from "../../messaging-data/events/import-shares.js";
import { expiredAt } from "../../messaging-data/jobs/retention.js";
import { listAndroidAppsHandler } from "../../messaging-data/list-android-apps-handler.js";
import { listProjectsHandler } from "../../messaging-data/list-projects-handler.js";
import { listMirrorGapsHandler } from "../../mirror/gaps/list-mirror-gaps-handler.js";
import { lastListedDay as lastListedDayAt, listedSince } from "../../model/day.js";
import type { ListedDays } from "../../model/due-days.js";
import { ProjectResources } from "../../registry/project-resources.js";
import { RegistryPurge } from "../../registry/purge/registry-purge.js";
import type { Timed } from "../../registry/resource-methods.js";
import { openStore } from "../../store/engines.js";
import type { Store } from "../../store/store.js";
import { TargetResults } from "../../targets/target-results.js";
import { TARGETS, type TargetValues, targetHandlers } from "../../targets/targets.js";
import { shareHandlers } from "../../views/share-handlers.js";
import { LinkTokens } from "../../views/view-link.js";
import { VIEWS, type ViewValues, viewHandlers } from "../../views/views.js";
import { type Console, openConsole } from "../console/open-console.js";
import { type OpenParts, openTogether } from "../open-parts.js";
import { openBackupRoute } from "../operators/backup-route.js";
import { mirrorRoutes } from "../operators/mirror-routes.js";
import { watchStore } from "../operators/store-metrics.js";
import { pageTokenKey } from "../page-tokens.js";
import type { RunningService, ServerParts } from "../server-parts.js";
import { emulatedLists } from "./emulation.js";
import { expectSources } from "./expect-sources.js";
import { incidentsJob, lastDayJob, retentionJob, retentionTime, rollupJob, targetsJob } from "./jobs.js";
import { startMirrors } from "./mirrors.js";
import { purgeJob } from "./purge-job.js";
import { sharedViewRoute } from "./shared-view-route.js";
import { openWebhooks } from "./webhooks.js";

/** Interval between checks for newly listed and newly removed days, in milliseconds. */
const DAYS_INTERVAL = 1_000;

/** The messaging-data service with its store and rollups. */
export interface MessagingData extends RunningService {
  /** The web console, if this process serves it. */
  readonly console: Console | undefined;
  readonly store: Store;
  /**
   * Waits until listed days are rolled up, expired days are removed and incidents are evaluated, but not longer than
   * `withinMs`. Retries pending work immediately, because the clock may have been set.
   */
  readonly settled: (withinMs: number) => Promise<void>;
}

/**
 * Opens the store, and starts its background jobs.
 *
 * @throws StoreOpenError if the data directory cannot be used; ConfigError if a project's stored data has another
 * source.
 */
export const openMessagingData = (parts: ServerParts): Promise<MessagingData> =>
  openTogether((open) => start(open, parts));

async function start(open: OpenParts, parts: ServerParts): Promise<MessagingData> {
  const { config, registry, pageTokens, control, metrics, failures, dayClock } = parts;
  const { settleDelay, retention, import: limits } = config.messagingData;
  const webhooks = await openWebhooks(parts);
  const store = await openStore(config.store, {
    directory: config.dataDir,
    clock: dayClock,
    days: control.days,
    leases: control.leases,
    nameLimits: limits,
    onFailure: (error) => failures.failed({}, error, "the store failed and is being reopened"),
  });
  open.add(store);
  failures.checkBy("ClickHouse", async () => {
    await store.check();
    if (!(await store.hasImportQuorum())) throw new Error("imports do not reach a quorum");
  });
  await expectSources(store, config.projects);
  const parser = open.add(new EventWorkerPool(limits.maxLineBytes));
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
  const mirrored = new Set(mirrors.all.map(({ project }) => project.number));
  // A mirror that was added by a reload starts only after a restart. Until then, the server must reject events for its
  // project.
  const isMirrored = (project: string) =>
    mirrored.has(project) || registry.project(project)?.isMirrored === true;
  const deliveryData = {
    store,
    tokens: pageTokens,
    responses: new ResponseCache(store),
    lastListedDay,
    isMirrored,
  };
  const incidents = new AppIncidents(store, isMirrored);
  const ids = new IncidentIds(control.records);
  const annotations = new ProjectResources<Timed<AnnotationValues>>(control.records, ANNOTATIONS);
  const targets = new ProjectResources<Timed<TargetValues>>(control.records, TARGETS);
  const days = new ProjectDays(store);
  const results = new TargetResults({ store, days, isMirrored, lastListedDay });
  const targetMethods = targetHandlers({
    resources: targets,
    tokens: pageTokens,
    clock: dayClock,
    results,
  });
  const annotationMethods = annotationHandlers({
    resources: annotations,
    tokens: pageTokens,
    clock: dayClock,
  });
  const views = new ProjectResources<Timed<ViewValues>>(control.records, VIEWS);
  const viewMethods = viewHandlers({ resources: views, tokens: pageTokens, clock: dayClock });
  const links = new LinkTokens(await pageTokenKey(config, control.records));
  const shareMethods = shareHandlers({ resources: views, clock: dayClock, links });
  const aggregate = aggregateHandler({ ...deliveryData, usualDates: usualDatesOf(incidents) });
  const triage = new IncidentTriage(control.records, dayClock);
  const listedIncidents = { incidents, ids, triage, webhooks, annotations, lastListedDay };
  const triageMethods = triageHandlers(listedIncidents);
  const implementation: ServiceImplementation<Caller, typeof MessagingDataService> = {
    service: MessagingDataService,
    handlers: {
      listAndroidDeliveryData: inProject(
        listHandler({ ...deliveryData, viewOf: emulatedLists(store, isMirrored, parts) }),
      ),
      aggregateAndroidDeliveryData: inProject(aggregate),
      listAndroidIncidents: inProject(listIncidentsHandler({ ...listedIncidents, tokens: pageTokens })),
      getAndroidIncident: inProject(triageMethods.get),
      updateAndroidIncident: inProject(triageMethods.update),
      acknowledgeAndroidIncident: inProject(triageMethods.acknowledge),
      reopenAndroidIncident: inProject(triageMethods.reopen),
      listAndroidMirrorGaps: inProject(listMirrorGapsHandler({ gaps: mirrors.gaps, tokens: pageTokens })),
      createAnnotation: inProject(annotationMethods.create),
      getAnnotation: inProject(annotationMethods.get),
      listAnnotations: inProject(annotationMethods.list),
      updateAnnotation: inProject(annotationMethods.update),
      deleteAnnotation: inProject(annotationMethods.delete),
      createTarget: inProject(targetMethods.create),
      getTarget: inProject(targetMethods.get),
      listTargets: inProject(targetMethods.list),
      updateTarget: inProject(targetMethods.update),
      deleteTarget: inProject(targetMethods.delete),
      createView: inProject(viewMethods.create),
      getView: inProject(viewMethods.get),
      listViews: inProject(viewMethods.list),
      updateView: inProject(viewMethods.update),
      deleteView: inProject(viewMethods.delete),
      shareView: inProject(shareMethods.share),
      unshareView: inProject(shareMethods.unshare),
      listProjects: inEveryProject(listProjectsHandler(deliveryData)),
      listAndroidApps: inProject(listAndroidAppsHandler(deliveryData)),
      importMessageEvents: inProject(
        importHandler({
          store,
          parser,
          limits,
          shares,
          clock: dayClock,
          isMirrored,
          onImported: ({ stored, optedOut, tooLate, invalid }) => {
            metrics.importedEvents.inc({ result: "stored" }, stored);
            metrics.importedEvents.inc({ result: "opted_out" }, optedOut);
            metrics.importedEvents.inc({ result: "too_late" }, tooLate);
            metrics.importedEvents.inc({ result: "invalid" }, invalid);
            rollups.runner.notice();
          },
        }),
      ),
    },
  };
  watchStore(metrics.registry, store);
  const ended = retentionJob(store, retention, time, parts);
  const lastDay = lastDayJob(store, lastListedDay, parts);
  const reports = { store, days, targets, annotations };
  const watched = incidentsJob(incidents, ids, reports, store, lastListedDay, webhooks, parts);
  const targeted = targetsJob(targets, results, store, lastListedDay, webhooks, parts);
  const purge = purgeJob(store, new RegistryPurge(registry), time, parts);
  const jobs = [rollups, lastDay, ended, watched, targeted, purge].filter((job) => job !== undefined);
  rollups.runner.start();
  open.add({ close: (graceMs) => rollups.runner.stop(graceMs) });
  lastDay.runner.start();
  open.add({ close: () => lastDay.runner.stop(0) });
  ended?.runner.start();
  open.add({ close: async () => ended?.runner.stop() });
  purge.runner.start();
  open.add({ close: () => purge.runner.stop(0) });
  for (const { runner } of webhooks) runner.start();
  watched.runner.start();
  targeted.runner.start();
  open.add({
    close: async () => {
      const stopping = webhooks.map(({ runner }) => runner.stop(MAX_WEBHOOK_AT_STOP_MS));
      await Promise.all([watched.runner.stop(0), targeted.runner.stop(0), ...stopping]);
    },
  });
  const watch = watchDays(
    () => ({ listed: lastListedDay(), ...expiredAt(dayClock.wall(), retention) }),
    () => {
      for (const { runner } of jobs) runner.notice();
    },
  );
  open.add({ close: async () => clearInterval(watch) });
  const console = await openConsole(parts);
  const limiter = new RateLimiter(MAX_LINK_REQUESTS_PER_MINUTE, parts.clock);
  const shared = { links, views, registry, clock: dayClock, limiter, lastListedDay, aggregate, incidents };
  return {
    implementation,
    plainRoutes: console === undefined ? [] : [...console.routes, sharedViewRoute(shared)],
    adminRoutes: [await openBackupRoute(parts, store), ...mirrorRoutes(mirrors)],
    console,
    store,
    settled: async (withinMs) => {
      const deadline = performance.now() + withinMs;
      purge.runner.notice();
      for (const { job } of mirrors.all) job.runner.release();
      for (const webhook of webhooks) webhook.runner.release();
      // The order matters, because a day is removed only after its last rollup.
      for (const job of [rollups, ended, watched, targeted]) await job?.runner.settled(deadline);
    },
    ready: () => store.check(),
    close: (graceMs) => open.close(graceMs),
  };
}

/** Calls `onChange` within a second after the set of listed or removed days has changed. */
function watchDays(read: () => object, onChange: () => void): NodeJS.Timeout {
  let last = JSON.stringify(read());
  return setInterval(() => {
    const days = JSON.stringify(read());
    if (days !== last) onChange();
    last = days;
  }, DAYS_INTERVAL);
}
