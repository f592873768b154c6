import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { OUTCOMES, PROXY_RESULTS } from "../../event-type-words.js";
import type { RowWriter } from "../row-binary.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "./state-values.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
/** Number of events that are written before other work of this thread gets a turn. */
const EVENTS_A_TURN = 10_000;

/**
 * Writes the events of a block on some days as rows of `message_states`: each is the state of a message with this
 * event alone. The columns of states have the engine's own form: of a minimum, whether there is a value, and the
 * value; of a bitwise OR, the bits.
 */
export async function writeEvents(
  rows: RowWriter,
  project: string,
  events: EventBlock,
  days: ReadonlySet<Day>,
): Promise<void> {
  const projectNumber = BigInt(project);
  const apps = events.apps.map((app) => encoder.encode(app));
  const labels = events.labels.map((label) => encoder.encode(label));
  for (let i = 0; i < events.length; i++) {
    const day = events.day[i] ?? 0;
    if (!days.has(day)) continue;
    const millisecond = events.millisecond[i] ?? 0;
    const type = events.type[i] ?? 0;
    const bit = 1 << type;
    rows.uint64(projectNumber);
    rows.int32(day);
    rows.text(apps[events.app[i] ?? 0] ?? NOTHING);
    rows.uint64(events.keyHigh[i] ?? 0n);
    rows.uint64(events.keyLow[i] ?? 0n);
    if (type === EventType.ACCEPTED) {
      writeAccepted(rows, millisecond, labels[events.label[i] ?? 0] ?? NOTHING, events.notification[i] === 1);
    } else writeNoAccepted(rows);
    const rank = 32 * millisecond + type;
    writeLeast(rows, (bit & OUTCOMES) !== 0 ? rank : undefined);
    writeLeast(rows, (bit & PROXY_RESULTS) !== 0 ? rank : undefined);
    rows.uint32(bit >>> 0);
    if (i % EVENTS_A_TURN === EVENTS_A_TURN - 1) await nextTurn();
  }
}
