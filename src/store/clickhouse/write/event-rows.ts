import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { OUTCOMES, PROXY_RESULTS } from "../../event-type-words.js";
import { RowWriter } from "../row-binary.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "./state-values.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
/** Enough for the first columns of most rows. */
const HEAD_BYTES = 64;
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
  const heads = new RowHeads(project, events.apps);
  const [keyHigh, keyLow] = [halvesOf(events.keyHigh), halvesOf(events.keyLow)];
  const labels = events.labels.map((label) => encoder.encode(label));
  for (let i = 0; i < events.length; i++) {
    const day = events.day[i] ?? 0;
    if (!days.has(day)) continue;
    const millisecond = events.millisecond[i] ?? 0;
    const type = events.type[i] ?? 0;
    const bit = 1 << type;
    rows.raw(heads.of(day, events.app[i] ?? 0));
    rows.uint32(keyHigh[2 * i] ?? 0);
    rows.uint32(keyHigh[2 * i + 1] ?? 0);
    rows.uint32(keyLow[2 * i] ?? 0);
    rows.uint32(keyLow[2 * i + 1] ?? 0);
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

/** The low and high halves of numbers, which cost less than the numbers themselves. All platforms are little-endian. */
const halvesOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);

/** The first columns of rows, which are the same for all messages of an app on a day. */
class RowHeads {
  readonly #project: bigint;
  readonly #apps: readonly string[];
  readonly #heads = new Map<number, Uint8Array>();

  constructor(project: string, apps: readonly string[]) {
    this.#project = BigInt(project);
    this.#apps = apps;
  }

  /** @param app index of the app. */
  of(day: Day, app: number): Uint8Array {
    const index = day * this.#apps.length + app;
    const known = this.#heads.get(index);
    if (known !== undefined) return known;
    const head = new RowWriter(HEAD_BYTES);
    head.uint64(this.#project);
    head.int32(day);
    head.text(encoder.encode(this.#apps[app]));
    this.#heads.set(index, head.bytes);
    return head.bytes;
  }
}
