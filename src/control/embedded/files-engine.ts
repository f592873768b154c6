import * as z from "zod";
import type { ControlEngine } from "../control.js";
import { EmbeddedRecords } from "./embedded-records.js";
import { ProcessLeases } from "./process-leases.js";
import { planRecordsFile } from "./records-file.js";

const schema = z.strictObject({
  // The default engine.
  engine: z.literal("files").default("files"),
});

/**
 * The engine with files in the data directory. Leases are in memory, because the store locks the data directory against
 * other processes.
 */
export const FILES_ENGINE = {
  name: "files",
  schema,
  isShared: false,
  open: async (_, { directory, clock }) => {
    const records = await EmbeddedRecords.open(directory, clock);
    return {
      records,
      leases: new ProcessLeases(clock),
      days: undefined,
      copy: undefined,
      snapshot: (path: string) => records.snapshot(path),
      now: async () => clock.wall(),
      check: async () => {},
      close: () => records.close(),
    };
  },
  planUpgrade: (_, { directory }) => planRecordsFile(directory),
} satisfies ControlEngine<z.output<typeof schema>>;
