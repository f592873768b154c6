import { create, toJson } from "@bufbuild/protobuf";
import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainRequest, PlainRoute } from "../../api/plain-route.js";
import { NO_PRECONDITIONS } from "../../api/preconditions.js";
import { type Handler, HandlerContext, ResourceName } from "../../api/service.js";
import { challenge } from "../../auth/auth-errors.js";
import type { RateLimiter } from "../../auth/rate-limiter.js";
import { bearerToken } from "../../auth/tokens/authenticator.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import {
  AggregateAndroidDeliveryDataRequestSchema,
  AggregateAndroidDeliveryDataRequest_Dimension as Dimension,
  type MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type AppIncident, incidentMessage } from "../../incidents/list/app-incident.js";
import type { AppIncidents } from "../../incidents/list/app-incidents.js";
import { WaitAllowance } from "../../limits/limit-wait.js";
import type { Clock } from "../../model/clock.js";
import { type Day, formatDay } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { resolveRange } from "../../presentation/chosen-range.js";
import { entryFilter } from "../../presentation/entry-filter.js";
import type { ProjectResource, ProjectResources } from "../../registry/project-resources.js";
import type { Registry } from "../../registry/registry.js";
import type { Timed } from "../../registry/resource-methods.js";
import type { LinkTokens } from "../../views/view-link.js";
import { viewSelectionOf } from "../../views/view-selection.js";
import type { ViewValues } from "../../views/views.js";
import { SHARED_VIEW_PATH } from "../console/console-routes.js";

export interface SharedViewParts {
  readonly links: LinkTokens;
  readonly views: Pick<ProjectResources<Timed<ViewValues>>, "get">;
  readonly registry: Pick<Registry, "project" | "app" | "upToDate">;
  readonly clock: Clock;
  /** Limits the requests of each network. */
  readonly limiter: RateLimiter;
  readonly lastListedDay: () => Day;
  readonly aggregate: Handler<typeof MessagingDataService.method.aggregateAndroidDeliveryData, ProjectCaller>;
  readonly incidents: Pick<AppIncidents, "of">;
}

/**
 * Returns a shared view's data to everyone who has its link. Only the stored view determines the project, app, dates and
 * labels: requests have no parameters.
 */
export const sharedViewRoute = (parts: SharedViewParts): PlainRoute => ({
  httpMethod: "GET",
  path: SHARED_VIEW_PATH,
  respond: async (request) => {
    parts.limiter.take(request.networkOf());
    const { project, view } = await sharedView(request, parts);
    const { displayName, query, link } = view.value;
    const selection = viewSelectionOf(query);
    if (selection === undefined || link === undefined) throw linkInvalid();
    const { appId, labels } = selection;
    const listed = parts.lastListedDay();
    const range = resolveRange(selection.range, listed);
    const context = contextOf(request, project, appId, view.name);
    const aggregation = create(AggregateAndroidDeliveryDataRequestSchema, {
      filter: entryFilter({ range, labels }),
      groupBy: [Dimension.DATE],
    });
    const sums = await parts.aggregate(aggregation, context);
    if (!(sums instanceof EncodedJson)) throw new Error("the sums are not encoded in JSON");
    const apps = { project: project.number, appId, until: listed };
    const incidents = (await parts.incidents.of(apps, request.signal, context.caller.budgetKey))
      .filter(({ startDay, endDay }) => startDay <= range.last && (endDay ?? listed) >= range.first)
      .filter(({ label }) => labels === undefined || (label !== undefined && labels.includes(label)));
    const app = parts.registry.app(project.number, appId);
    const body = {
      displayName,
      appId,
      ...(app !== undefined && { appDisplayName: app.displayName }),
      ...(labels !== undefined && { labels }),
      firstDate: formatDay(range.first),
      lastDate: formatDay(range.last),
      linkExpireTime: new Date(link.expireTime).toISOString(),
      deliveryData: JSON.parse(sums.bytes.toString()),
      incidents: incidents.map(incidentJson),
    };
    return {
      body: new EncodedJson(Buffer.from(JSON.stringify(body))),
      headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
    };
  },
});

/** Returns the view that a request's link shows. @throws ApiError `LINK_INVALID` or `LINK_EXPIRED`. */
async function sharedView(
  { authorization }: PlainRequest,
  { links, views, registry, clock }: SharedViewParts,
): Promise<{ readonly project: Project; readonly view: ProjectResource<Timed<ViewValues>> }> {
  const claims = links.read(bearerToken(authorization));
  if (claims === undefined) throw linkInvalid();
  if (claims.expireTime <= clock.wall()) throw linkExpired();
  await registry.upToDate();
  const project = registry.project(claims.project);
  const view = await views.get(claims.project, claims.view).catch((error: unknown) => {
    throw error instanceof ApiError ? linkInvalid() : error;
  });
  if (project === undefined || view.value.link?.id !== claims.link) throw linkInvalid();
  return { project, view };
}

/** Returns a context for calls in one app. Its caller has no rights: handlers use only the project and the budget. */
function contextOf(
  { requestId, signal, networkOf, waitForSlot }: PlainRequest,
  project: Project,
  appId: string,
  view: string,
): HandlerContext<ProjectCaller> {
  const caller: ProjectCaller = {
    kind: "project",
    principal: { name: "", issuer: "", id: view },
    project,
    budgetKey: networkOf(),
    networkOf,
    recheckAccess: async () => {},
  };
  const resource = new ResourceName([
    ["projects", project.number],
    ["androidApps", appId],
  ]);
  const share = { waitForSlot, waits: new WaitAllowance() };
  const facts = {
    caller,
    resource,
    requestId,
    format: "json",
    preconditions: NO_PRECONDITIONS,
    share,
  } as const;
  return new HandlerContext(facts, () => signal);
}

/** Converts an incident without acknowledgement, note, id and annotation, which are not part of a shared view. */
const incidentJson = (incident: AppIncident) =>
  toJson(AndroidIncidentSchema, incidentMessage({ ...incident, id: "" }));

/**
 * The link was changed, ended or replaced, or its view or project no longer exists. The error is identical for all of
 * them.
 */
const linkInvalid = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "LINK_INVALID",
    message: "This link is not valid, or no longer. Ask for a new link to the view.",
    headers: linkHeaders("The link is not valid"),
  });

const linkExpired = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "LINK_EXPIRED",
    message: "This link has expired. Ask for a new link to the view.",
    headers: linkHeaders("The link has expired"),
  });

const linkHeaders = (problem: string): Record<string, string> => ({
  "cache-control": "no-store",
  ...challenge({ error: "invalid_token", error_description: problem }),
});
