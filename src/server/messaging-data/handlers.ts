import { annotationHandlers } from "../../annotations/annotations.js";
import { type Caller, inEveryProject, inProject } from "../../api/caller.js";
import type { ServiceImplementation } from "../../api/service.js";
import { MessagingDataService } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { listIncidentsHandler } from "../../incidents/list/list-incidents-handler.js";
import { IncidentTriage } from "../../incidents/triage/incident-triage.js";
import { triageHandlers } from "../../incidents/triage/triage-handlers.js";
import { listHandler } from "../../messaging-data/delivery-data/list-handler.js";
import { importHandler } from "../../messaging-data/events/import-handler.js";
import { listAndroidAppsHandler } from "../../messaging-data/list-android-apps-handler.js";
import { listProjectsHandler } from "../../messaging-data/list-projects-handler.js";
import { listMirrorGapsHandler } from "../../mirror/gaps/list-mirror-gaps-handler.js";
import { targetHandlers } from "../../targets/targets.js";
import { shareHandlers } from "../../views/share-handlers.js";
import { viewHandlers } from "../../views/views.js";
import type { ServerParts } from "../server-parts.js";
import { emulatedLists } from "./emulation.js";
import type { MessagingDataParts } from "./messaging-data-parts.js";

type Implementation = ServiceImplementation<Caller, typeof MessagingDataService>;

/** Implements the messaging-data service, with a handler for each method. */
export function implementationOf(data: MessagingDataParts, parts: ServerParts): Implementation {
  const handlers = {
    ...deliveryDataHandlers(data, parts),
    ...incidentHandlers(data, parts),
    ...resourceHandlers(data, parts),
  };
  return { service: MessagingDataService, handlers };
}

function deliveryDataHandlers(data: MessagingDataParts, parts: ServerParts) {
  const { store, parser, shares, rollups, mirrors, isMirrored, deliveryData, aggregate } = data;
  const { config, pageTokens, metrics, dayClock } = parts;
  return {
    listAndroidDeliveryData: inProject(
      listHandler({ ...deliveryData, viewOf: emulatedLists(store, isMirrored, parts) }),
    ),
    aggregateAndroidDeliveryData: inProject(aggregate),
    listAndroidMirrorGaps: inProject(listMirrorGapsHandler({ gaps: mirrors.gaps, tokens: pageTokens })),
    listProjects: inEveryProject(listProjectsHandler(deliveryData)),
    listAndroidApps: inProject(listAndroidAppsHandler(deliveryData)),
    importMessageEvents: inProject(
      importHandler({
        store,
        parser,
        limits: config.messagingData.import,
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
  };
}

function incidentHandlers(
  { incidents, ids, webhooks, annotations, lastListedDay }: MessagingDataParts,
  { control, pageTokens, dayClock }: ServerParts,
) {
  const triage = new IncidentTriage(control.records, dayClock);
  const listed = { incidents, ids, triage, webhooks, annotations, lastListedDay };
  const methods = triageHandlers(listed);
  return {
    listAndroidIncidents: inProject(listIncidentsHandler({ ...listed, tokens: pageTokens })),
    getAndroidIncident: inProject(methods.get),
    updateAndroidIncident: inProject(methods.update),
    acknowledgeAndroidIncident: inProject(methods.acknowledge),
    reopenAndroidIncident: inProject(methods.reopen),
  };
}

function resourceHandlers(
  { annotations, targets, results, views, links }: MessagingDataParts,
  { pageTokens, dayClock }: ServerParts,
) {
  const shared = { tokens: pageTokens, clock: dayClock };
  const ofAnnotations = annotationHandlers({ ...shared, resources: annotations });
  const ofTargets = targetHandlers({ ...shared, resources: targets, results });
  const ofViews = viewHandlers({ ...shared, resources: views });
  const { share, unshare } = shareHandlers({ resources: views, clock: dayClock, links });
  return {
    createAnnotation: inProject(ofAnnotations.create),
    getAnnotation: inProject(ofAnnotations.get),
    listAnnotations: inProject(ofAnnotations.list),
    updateAnnotation: inProject(ofAnnotations.update),
    deleteAnnotation: inProject(ofAnnotations.delete),
    createTarget: inProject(ofTargets.create),
    getTarget: inProject(ofTargets.get),
    listTargets: inProject(ofTargets.list),
    updateTarget: inProject(ofTargets.update),
    deleteTarget: inProject(ofTargets.delete),
    createView: inProject(ofViews.create),
    getView: inProject(ofViews.get),
    listViews: inProject(ofViews.list),
    updateView: inProject(ofViews.update),
    deleteView: inProject(ofViews.delete),
    shareView: inProject(share),
    unshareView: inProject(unshare),
  };
}
