import { z } from "zod";
import type { StoreEngine } from "../store-engine.js";

const schema = z.strictObject({
  // The default engine.
  engine: z.literal("duckdb").default("duckdb"),
  memoryLimit: z
    .string()
    .meta({ title: "size" })
    .regex(/^\d+(\.\d+)?\s*(MB|GB|MiB|GiB)$/, "must be a size such as 320MB")
    .default("320MB"),
  threads: z.number().int().min(1).optional(),
});

/** The embedded engine. Its database is a file in the data directory. */
export const DUCKDB_ENGINE = {
  name: "duckdb",
  schema,
  needsLedger: false,
  open: async ({ memoryLimit, threads }, context) => {
    // Loads the native library only in servers, not in every command that reads a config.
    const { DuckDbStore } = await import("./duckdb-store.js");
    return DuckDbStore.open({ ...context, memoryLimit, ...(threads !== undefined && { threads }) });
  },
} satisfies StoreEngine<z.output<typeof schema>>;
