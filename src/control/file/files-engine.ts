import { z } from "zod";
import type { ControlEngine } from "../control.js";
import { EmbeddedRecords } from "../embedded/embedded-records.js";
import { ProcessLeases } from "../process/process-leases.js";
import { FileDocuments } from "./file-documents.js";
import { FileKeyStore } from "./file-key-store.js";

const schema = z.strictObject({
  // The engine of configurations that name none.
  engine: z.literal("files").default("files"),
});

/**
 * Files of the data directory. Leases are in memory, and documents for one process: they are for stores that lock the
 * data directory, which keeps other processes away.
 */
export const FILES_ENGINE = {
  name: "files",
  schema,
  isShared: false,
  open: async (_, { directory, clock }) => {
    const records = await EmbeddedRecords.open(directory, clock);
    return {
      records,
      keys: new FileKeyStore(directory),
      leases: new ProcessLeases(clock),
      documents: new FileDocuments(directory),
      days: undefined,
      copy: undefined,
      snapshot: (path: string) => records.snapshot(path),
      now: async () => clock.wall(),
      check: async () => {},
      close: () => records.close(),
    };
  },
} satisfies ControlEngine<z.output<typeof schema>>;
