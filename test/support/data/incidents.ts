import type { AndroidIncidentJson } from "../../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { send } from "../http/exchange.js";
import { ANDROID_APP } from "../servers/project.js";
import type { Server } from "../servers/server.js";
import { incidentsOf } from "./delivery-data.js";

/** Lists the first page of the app's incidents that match a filter, newest start first. */
export async function listIncidents(
  { messagingDataUrl }: Pick<Server, "messagingDataUrl">,
  token: string,
  filter = "",
): Promise<readonly AndroidIncidentJson[]> {
  const path = `${incidentsOf(ANDROID_APP)}?filter=${encodeURIComponent(filter)}`;
  const { text } = await send(messagingDataUrl, path, { token });
  return (JSON.parse(text) as { incidents: AndroidIncidentJson[] }).incidents;
}
