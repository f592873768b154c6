import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { RowWriter } from "../row-binary.js";

const encoder = new TextEncoder();
/** Initial size of a buffer, in bytes. The first columns of a row usually fit into it. */
const HEAD_BYTES = 64;

/** Cache for the first columns of `message_states`, which are identical for all messages of an app on a day. */
export class RowHeads {
  readonly #project: bigint;
  readonly #heads = new Map<Day, Map<string, Uint8Array>>();

  constructor(project: ProjectNumber) {
    this.#project = BigInt(project);
  }

  of(day: Day, app: string): Uint8Array {
    let ofDay = this.#heads.get(day);
    if (ofDay === undefined) {
      ofDay = new Map();
      this.#heads.set(day, ofDay);
    }
    let head = ofDay.get(app);
    if (head === undefined) {
      const rows = new RowWriter(HEAD_BYTES);
      rows.uint64(this.#project);
      rows.int32(day);
      rows.text(encoder.encode(app));
      head = rows.bytes;
      ofDay.set(app, head);
    }
    return head;
  }
}
