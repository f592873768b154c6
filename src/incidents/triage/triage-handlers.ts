import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import { resourceNotFound } from "../../api/errors.js";
import type { CallContext } from "../../api/service.js";
import { type MaskFields, readUpdateMask } from "../../api/update-mask.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  type AndroidIncident,
  AndroidIncident_Kind as Kind,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import {
  type AcknowledgeAndroidIncidentRequest,
  type GetAndroidIncidentRequest,
  MessagingDataService,
  type ReopenAndroidIncidentRequest,
  type UpdateAndroidIncidentRequest,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { MAX_INCIDENT_NOTE, MAX_TRIAGED_INCIDENTS } from "../../limits/data-limits.js";
import type { UnixMillis } from "../../model/clock.js";
import { at } from "../../model/collections.js";
import type { ProjectNumber } from "../../model/names.js";
import { auditNote } from "../../registry/audit/audit-note.js";
import { etagMismatch } from "../../registry/registry-errors.js";
import { contractKind } from "../list/app-incident.js";
import { type ListedIncidents, readIncidents } from "../list/read-incidents.js";
import {
  acknowledgementOf,
  etagOf,
  type IncidentTriage,
  type StoredTriage,
  type Triage,
} from "./incident-triage.js";
import { type MessageSources, type TriagedIncident, triagedMessages } from "./triaged-incident.js";

const { updateAndroidIncident, acknowledgeAndroidIncident, reopenAndroidIncident } =
  MessagingDataService.method;

const FIELDS: MaskFields = {
  changeable: ["note"],
  immutable: [
    "name",
    "app_id",
    "incident_id",
    "kind",
    "analytics_label",
    "whole_app",
    "outcome",
    "whole_project",
  ],
  outputOnly: [
    "state",
    "etag",
    "acknowledge_principal",
    "acknowledge_time",
    "note_principal",
    "note_time",
    "webhook_deliveries",
  ],
};

/** Control characters, except line breaks and tabs. */
const CONTROL = /[^\P{Cc}\n\t]/u;

export interface TriageDependencies extends ListedIncidents, MessageSources {
  readonly triage: IncidentTriage;
}

type Context = CallContext<ProjectCaller>;

/** A change of a triage, from the incident as found. */
type Change = (before: StoredTriage, now: UnixMillis, incident: TriagedIncident) => Triage;

/** Creates the handlers that read an incident, and change its acknowledgement and note. */
export function triageHandlers(dependencies: TriageDependencies) {
  const { triage } = dependencies;

  /** @throws ApiError `RESOURCE_NOT_FOUND` if the app has no such incident. */
  async function find(name: string, context: Context): Promise<TriagedIncident> {
    const id = context.resource.idIn("incidents");
    const found = (await readIncidents(dependencies, context)).find((incident) => incident.id === id);
    if (found !== undefined) return found;
    throw resourceNotFound(name, "List the app's incidents. Late events may have withdrawn this one.");
  }

  async function messageOf(project: ProjectNumber, incident: TriagedIncident): Promise<AndroidIncident> {
    return at(await triagedMessages(dependencies, project, [incident]), 0);
  }

  async function change(
    { name, etag }: { readonly name: string; readonly etag: string },
    context: Context,
    method: string,
    after: Change,
  ): Promise<AndroidIncident> {
    const incident = await find(name, context);
    const project = context.caller.project.number;
    const key = { project, appId: incident.appId, id: incident.id };
    const stored = await triage.change(key, auditNote(context.caller, method), (before, now) => {
      if (etag !== "" && etag !== etagOf(key, before)) throw etagMismatch(name);
      return after(before, now, incident);
    });
    if (stored === undefined) throw tooManyTriaged(project);
    return messageOf(project, { ...incident, triage: stored });
  }

  return {
    async get({ name }: GetAndroidIncidentRequest, context: Context): Promise<AndroidIncident> {
      return messageOf(context.caller.project.number, await find(name, context));
    },

    async update(
      { androidIncident, updateMask }: UpdateAndroidIncidentRequest,
      context: Context,
    ): Promise<AndroidIncident> {
      const { name = "", note: text = "", etag = "" } = androidIncident ?? {};
      readUpdateMask(updateMask, FIELDS, true);
      if ([...text].length > MAX_INCIDENT_NOTE || CONTROL.test(text)) {
        const description = `must have at most ${MAX_INCIDENT_NOTE.toLocaleString("en")} characters, without control characters`;
        throw ApiError.invalidArgument("INVALID_NOTE", "note", description);
      }
      const principal = context.caller.principal.name;
      return change({ name, etag }, context, updateAndroidIncident.name, (before, time) => {
        if (text === (before.note?.text ?? "")) return before;
        return { ...before, note: text === "" ? undefined : { text, principal, time } };
      });
    },

    acknowledge(request: AcknowledgeAndroidIncidentRequest, context: Context): Promise<AndroidIncident> {
      const principal = context.caller.principal.name;
      return change(request, context, acknowledgeAndroidIncident.name, (before, time, incident) => {
        if (acknowledgementOf(incident, before) !== undefined) return before;
        const isOfFall = contractKind(incident) === Kind.FALL;
        return { ...before, acknowledgement: { principal, time, ...(isOfFall && { isOfFall }) } };
      });
    },

    reopen(request: ReopenAndroidIncidentRequest, context: Context): Promise<AndroidIncident> {
      return change(request, context, reopenAndroidIncident.name, (before) => ({
        ...before,
        acknowledgement: undefined,
      }));
    },
  };
}

const tooManyTriaged = (project: ProjectNumber): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "TOO_MANY_TRIAGED_INCIDENTS",
    message:
      `projects/${project} has ${MAX_TRIAGED_INCIDENTS.toLocaleString("en")} incidents with an acknowledgement or a note, ` +
      "the maximum. Reopen old incidents, and remove their notes.",
    metadata: { project, maximum: String(MAX_TRIAGED_INCIDENTS) },
  });
