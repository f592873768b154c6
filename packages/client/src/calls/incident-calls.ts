import { type Call, type CallOptions, hasEtag, patch, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Identifies an incident. */
export interface IncidentRef extends CallOptions {
  /** `projects/{project}/androidApps/{app}/incidents/{incident}`. The app may be `-`. */
  readonly name: string;
}

/** Request to acknowledge or reopen an incident. */
export interface ChangeIncidentOptions extends IncidentRef {
  /** If set, the call fails with `ABORTED` unless this is the current etag. */
  readonly etag?: string | undefined;
}

/** Request to change an incident's note. */
export interface UpdateIncidentOptions extends ChangeIncidentOptions {
  /** The note, up to 1,000 characters. An empty string removes it. */
  readonly note: string;
}

export const getIncidentCall = ({ name }: IncidentRef): Call => read(incidentPath(name), {});

/** Calls `UpdateAndroidIncident`. The call may be repeated only with an etag. */
export const updateIncidentCall = ({ name, note, etag }: UpdateIncidentOptions): Call =>
  patch(incidentPath(name), { note, etag }, "note");

/** Calls `AcknowledgeAndroidIncident`. The call may be repeated only with an etag. */
export const acknowledgeIncidentCall = (request: ChangeIncidentOptions): Call =>
  changeIncidentCall("acknowledge", request);

/** Calls `ReopenAndroidIncident`. The call may be repeated only with an etag. */
export const reopenIncidentCall = (request: ChangeIncidentOptions): Call =>
  changeIncidentCall("reopen", request);

const changeIncidentCall = (verb: string, { name, etag }: ChangeIncidentOptions): Call =>
  post(`${incidentPath(name)}:${verb}`, { etag }, hasEtag({ etag }));

const incidentPath = (name: string): string =>
  `v1beta1/${pathOf(name, "projects/*/androidApps/*/incidents/*")}`;
