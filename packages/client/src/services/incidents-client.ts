import {
  acknowledgeIncidentCall,
  type ChangeIncidentOptions,
  getIncidentCall,
  type IncidentRef,
  reopenIncidentCall,
  type UpdateIncidentOptions,
  updateIncidentCall,
} from "../calls/incident-calls.js";
import type { AndroidIncidentJson } from "../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type { Transport } from "../transport.js";

/**
 * A client for acknowledgements and notes of incidents. After an unknown outcome, only changes with an `etag` are
 * retried.
 *
 * Changes throw a `WaybillError`: `NOT_FOUND` if the app has no such incident, `ABORTED` if the acknowledgement or the
 * note has changed since the `etag` was read, and `FAILED_PRECONDITION` if 5,000 incidents of the project have an
 * acknowledgement or a note.
 */
export class IncidentsClient {
  readonly #transport: () => Transport;

  constructor(transport: () => Transport) {
    this.#transport = transport;
  }

  /**
   * Returns an incident (`GetAndroidIncident`), with its state, acknowledgement, note and webhook deliveries.
   *
   * @throws WaybillError `NOT_FOUND` if the app has no such incident.
   * @example
   * const name = "projects/shop/androidApps/-/incidents/9c1f04b7a26d5e38";
   * const { state, acknowledgePrincipal, note } = await client.incidents.get({ name });
   */
  async get(request: IncidentRef): Promise<AndroidIncidentJson> {
    return this.#transport().call(getIncidentCall(request), request);
  }

  /**
   * Acknowledges an incident (`AcknowledgeAndroidIncident`). Changes nothing if it is acknowledged.
   *
   * @example
   * for await (const { name = "", etag } of client.listIncidents({ project: "shop", app: "-", filter: "state = OPEN" })) {
   *   await client.incidents.acknowledge({ name, etag });
   * }
   */
  async acknowledge(request: ChangeIncidentOptions): Promise<AndroidIncidentJson> {
    return this.#transport().call(acknowledgeIncidentCall(request), request);
  }

  /** Removes an incident's acknowledgement (`ReopenAndroidIncident`). */
  async reopen(request: ChangeIncidentOptions): Promise<AndroidIncidentJson> {
    return this.#transport().call(reopenIncidentCall(request), request);
  }

  /** Changes an incident's note (`UpdateAndroidIncident`). An empty string removes it. */
  async update(request: UpdateIncidentOptions): Promise<AndroidIncidentJson> {
    return this.#transport().call(updateIncidentCall(request), request);
  }
}
