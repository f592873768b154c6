import {
  type InboxIncident,
  type IncidentState,
  inboxIncidentOf,
} from "#console/model/figures/inbox-incident.js";
import { ALL_APPS } from "#src/model/names.js";
import { ApiPart, type ListPage } from "./api-part.js";

/** Permission to acknowledge incidents and to change notes. */
export const INCIDENTS_PERMISSION = "fcmdata.incidents.update";

/** Number of incidents that the page shows at first, and adds on request. */
const PAGE_SIZE = 50;

/**
 * Reads incidents of all apps of a project, and changes their acknowledgements and notes. Changes throw `WaybillError`
 * `ABORTED` if the incident no longer has the etag that was read.
 */
export class IncidentsApi extends ApiPart {
  /** Reads a page of a project's incidents with a state, newest first. */
  async page(
    project: string,
    state: IncidentState,
    pageToken: string | undefined,
    signal: AbortSignal,
  ): Promise<ListPage<InboxIncident>> {
    const request = { project, app: ALL_APPS, filter: `state = ${state}`, pageSize: PAGE_SIZE, signal };
    const page = await this.admitted(this.client.listIncidents(request).readPage(pageToken));
    return { items: (page.incidents ?? []).map(inboxIncidentOf), nextPageToken: page.nextPageToken };
  }

  async acknowledge({ name, etag }: InboxIncident): Promise<void> {
    await this.admitted(this.client.incidents.acknowledge({ name, etag }));
  }

  async reopen({ name, etag }: InboxIncident): Promise<void> {
    await this.admitted(this.client.incidents.reopen({ name, etag }));
  }

  /** Changes a note. An empty string removes it. */
  async setNote(name: string, etag: string, note: string): Promise<void> {
    await this.admitted(this.client.incidents.update({ name, etag, note }));
  }

  /** Reads an incident again. */
  async incident(name: string, signal: AbortSignal): Promise<InboxIncident> {
    return inboxIncidentOf(await this.admitted(this.client.incidents.get({ name, signal })));
  }
}
