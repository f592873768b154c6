import type { StateColumns } from "../../state-columns.js";
import { RowWriter } from "../row-binary.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "../write/state-values.js";

const encoder = new TextEncoder();

/** Returns partial states of messages as rows of `message_states`: in the order of its columns. */
export function stateRows(project: string, batches: readonly StateColumns[]): Buffer {
  const rows = new RowWriter();
  for (const states of batches) writeStates(rows, project, states);
  return rows.bytes;
}

function writeStates(rows: RowWriter, project: string, states: StateColumns): void {
  const projectNumber = BigInt(project);
  for (let i = 0; i < states.length; i++) {
    rows.uint64(projectNumber);
    rows.int32(states.days[i] ?? 0);
    rows.text(encoder.encode(states.appIds[i]));
    rows.uint64(states.keyHigh[i] ?? 0n);
    rows.uint64(states.keyLow[i] ?? 0n);
    const acceptedAt = states.acceptedAt[i] ?? undefined;
    if (acceptedAt === undefined) writeNoAccepted(rows);
    else writeAccepted(rows, acceptedAt, encoder.encode(states.labels[i]), states.notifications[i] === true);
    writeLeast(rows, states.outcomes[i] ?? undefined);
    writeLeast(rows, states.proxies[i] ?? undefined);
    rows.uint32(states.seen[i] ?? 0);
  }
}
