import { randomFillSync } from "node:crypto";
import { MessageEvent_EventType as EventType } from "#dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { NONE, type StateBlock } from "#dist/store/state-block.js";

/** Slightly less than a day, so that each time is on the day. */
export const MILLISECONDS_A_DAY = 86_000_000;

/** App with the messages of {@link randomEvents}. */
export const APP = "1:1:android:1";
const LABELS = ["", "spring", "sale"];

/** Returns the ACCEPTED events of `count` new messages on a day, in the form in which imports store them. */
export const randomEvents = (day: number, count: number): StateBlock => ({
  length: count,
  days: new Map([[day, count]]),
  apps: [APP],
  labels: LABELS,
  app: new Int32Array(count),
  day: new Int32Array(count).fill(day),
  keyHigh: randomFillSync(new Uint32Array(2 * count)),
  keyLow: randomFillSync(new Uint32Array(2 * count)),
  acceptedAt: Uint32Array.from({ length: count }, () => Math.random() * MILLISECONDS_A_DAY),
  label: Int32Array.from({ length: count }, (_, index) => index % LABELS.length),
  notification: new Uint8Array(count),
  outcome: new Uint32Array(count).fill(NONE),
  proxy: new Uint32Array(count).fill(NONE),
  seen: new Uint32Array(count).fill(1 << EventType.ACCEPTED),
});
