import { expect, it, test } from "vitest";
import { WebhookDelivery_Status as Status } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { identifiedIncident } from "../testing/app-incident.js";
import type { NotifiedIncident } from "./notified-incident.js";
import { readDeliveries } from "./webhook-deliveries.js";

const KNOWN: NotifiedIncident = {
  key: "k",
  incident: identifiedIncident(),
  state: "ended",
  change: 2,
  since: 0,
};

const deliveriesOf = (...known: readonly NotifiedIncident[]) =>
  readDeliveries([{ webhook: "on-call", notified: async () => known }], "7");

test.each([
  [{}, Status.WAITING],
  [{ delivered: "started" }, Status.WAITING],
  [{ delivered: "ended" }, Status.DELIVERED],
  [{ delivered: "started", givenUp: "ended" }, Status.GIVEN_UP],
  [{ skipped: "ended" }, Status.NOT_SENT],
  [{ skipped: "started" }, Status.WAITING],
] as const)("a message about the end, with %j, has the status %i", async (outcome, status) => {
  const of = await deliveriesOf({ ...KNOWN, ...outcome });
  expect(of("1d")).toMatchObject([{ webhook: "on-call", type: "incident.ended", status }]);
});

it("readDeliveries omits webhooks that do not know the incident", async () => {
  expect((await deliveriesOf(KNOWN))("2e")).toEqual([]);
});
