import { randomFillSync } from "node:crypto";
import { MessageEvent_EventType as EventType } from "../../../dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { StateBlock } from "../../../dist/store/state-block.js";
import { mergeEvents } from "../../../dist/store/state-merger.js";

const MILLISECONDS_A_DAY = 86_000_000;

/** The app of the messages of {@link randomEvents}. */
export const APP = "1:1:android:1";
const LABELS = ["", "spring", "sale"];

/** An ACCEPTED event of each of `count` new messages of a day, as an import would store them. */
export function randomEvents(day: number, count: number): StateBlock {
  return mergeEvents({
    length: count,
    apps: [APP],
    labels: LABELS,
    app: new Int32Array(count),
    day: new Int32Array(count).fill(day),
    millisecond: Uint32Array.from({ length: count }, () => Math.random() * MILLISECONDS_A_DAY),
    keyHigh: randomFillSync(new BigUint64Array(count)),
    keyLow: randomFillSync(new BigUint64Array(count)),
    type: new Uint8Array(count).fill(EventType.ACCEPTED),
    label: Int32Array.from({ length: count }, (_, index) => index % LABELS.length),
    notification: new Uint8Array(count),
  });
}
