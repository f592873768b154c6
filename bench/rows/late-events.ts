import { join } from "node:path";
import { Readable } from "node:stream";
import { queryDuckDb } from "../../test/support/data/duckdb.js";
import { appendAll, openStore, timeOfRollup } from "../support/data/day-store.js";
import { DATABASE } from "../support/data/delivery-data.js";
import { FIRST_DAY, simulatedEvents } from "../support/data/event-file.js";
import { duration, figureLine, type Measurement } from "../support/measurement.js";
import { countProgress, progress } from "../support/progress.js";
import type { Row } from "../support/row.js";

const LATE_EVENTS = 1_000;
const MAX_SHARE = 0.1;
const MAX_BYTES = 40;

/** Rollup of events that arrive late for a large day, compared with a rollup of the whole day. */
export const lateEventsRow: Row = {
  name: "late-events",
  measure: async ({ runs, largeDayEvents: count }, directory) => {
    const data = join(directory, "data");
    const store = await openStore(data);
    progress(`  storing ${count} events`);
    const report = countProgress("stored", count);
    await appendAll(store, Readable.from(counted(simulatedEvents(count, 1), report)));
    const fromNothing = await timeOfRollup(store);
    progress(`  first rollup: ${duration(fromNothing)}`);
    const late: number[] = [];
    for (let run = 0; run < runs; run++) {
      await appendAll(store, Readable.from([lateEvents(run)]));
      late.push(await timeOfRollup(store));
    }
    await store.close();
    const took = late.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
    const { messages, usedBytes } = await figuresOf(join(data, DATABASE));
    const bytes = usedBytes / messages;
    return [
      {
        what: `${LATE_EVENTS.toLocaleString("en-US")} late events of a day of ${messages.toLocaleString("en-US")} messages`,
        waybill: duration(took),
        reference: duration(fromNothing),
        ratio: (took / fromNothing).toFixed(3),
        target: `≤ ${MAX_SHARE.toFixed(2)}`,
        isMet: took / fromNothing <= MAX_SHARE,
      },
      figureLine("bytes on disk for a message", bytes.toFixed(1), `≤ ${MAX_BYTES}`, bytes <= MAX_BYTES),
    ] satisfies Measurement[];
  },
};

function* counted(chunks: Iterable<Buffer>, report: (events: number) => void): Generator<Buffer> {
  let events = 0;
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events++;
    report(events);
    yield chunk;
  }
}

/** Events of messages that are new on the day, and of their outcomes. */
function lateEvents(run: number): Buffer {
  const lines = Array.from({ length: LATE_EVENTS }, (_, index) =>
    JSON.stringify({
      appId: "1:1:android:1",
      messageId: `late-${run}-${index >> 1}`,
      eventTime: `${FIRST_DAY}T20:00:00Z`,
      ...(index % 2 === 0
        ? { eventType: "ACCEPTED", usageReportingOptIn: true }
        : { eventType: "DELIVERED" }),
    }),
  );
  return Buffer.from(lines.join("\n"));
}

/**
 * Returns the number of messages and the number of used bytes. New events first fill free blocks, so the file size is
 * no measure.
 */
async function figuresOf(database: string): Promise<{ messages: number; usedBytes: number }> {
  await queryDuckDb("CHECKPOINT", database);
  const figures = `SELECT (SELECT sum(messages) FROM counted_days), used_blocks * block_size FROM pragma_database_size()`;
  const [[messages, usedBytes] = []] = await queryDuckDb(figures, database);
  return { messages: Number(messages), usedBytes: Number(usedBytes) };
}
