import { stat } from "node:fs/promises";
import { z } from "zod";
import type { Control, ControlEngine } from "../control.js";
import { ProcessLeases } from "../process/process-leases.js";
import { FileDocuments } from "./file-documents.js";
import { FileKeyStore } from "./file-key-store.js";
import { JournaledConfigStore } from "./journaled-config-store.js";
import { readChanges } from "./read-journal.js";

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
  open: async (_, { directory, clock }): Promise<Control> => ({
    keys: new FileKeyStore(directory),
    leases: new ProcessLeases(clock),
    documents: new FileDocuments(directory),
    days: undefined,
    copy: undefined,
    openConfigs: async (options) => JournaledConfigStore.open({ ...options, directory, clock }),
    readConfigChanges: async () => {
      await stat(directory);
      return readChanges(directory);
    },
    now: async () => clock.wall(),
    // The journal is opened for each use.
    check: async () => {},
    close: async () => {},
  }),
} satisfies ControlEngine<z.output<typeof schema>>;
