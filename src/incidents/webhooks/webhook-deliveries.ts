import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  WebhookDelivery_Status as Status,
  type WebhookDelivery,
  WebhookDeliverySchema,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type { ProjectNumber } from "../../model/names.js";
import { messageTypeOf, type NotifiedIncident } from "./notified-incident.js";

/** Reads which messages a webhook has got. */
export interface WebhookStates {
  readonly webhook: string;
  /**
   * Returns the incidents that the webhook was notified of, or will be. Returns none for a project of other webhooks.
   *
   * @throws StoreUnavailableError if the records cannot be read.
   */
  notified(project: ProjectNumber): Promise<readonly NotifiedIncident[]>;
}

export type DeliveriesOf = (incidentId: string) => WebhookDelivery[];

/** Reads the webhook deliveries of a project's incidents. @throws the same errors as {@link WebhookStates.notified}. */
export async function readDeliveries(
  webhooks: readonly WebhookStates[],
  project: ProjectNumber,
): Promise<DeliveriesOf> {
  const all = await Promise.all(
    webhooks.map(async (webhook) => {
      const notified = await webhook.notified(project);
      return {
        webhook: webhook.webhook,
        byId: new Map(notified.map((known) => [known.incident.id, known])),
      };
    }),
  );
  return (incidentId) =>
    all.flatMap(({ webhook, byId }) => {
      const known = byId.get(incidentId);
      return known === undefined ? [] : [deliveryOf(webhook, known)];
    });
}

const deliveryOf = (webhook: string, known: NotifiedIncident): WebhookDelivery =>
  create(WebhookDeliverySchema, {
    webhook,
    type: messageTypeOf(known),
    status: statusOf(known),
    time: timestampFromMs(known.since),
  });

function statusOf({ state, delivered, skipped, givenUp }: NotifiedIncident): Status {
  if (state === delivered) return Status.DELIVERED;
  if (state === givenUp) return Status.GIVEN_UP;
  return state === skipped ? Status.NOT_SENT : Status.WAITING;
}
