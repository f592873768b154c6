import * as z from "zod";
import type { StoreEngine } from "../store-engine.js";

const schema = z.strictObject({
  // The default engine.
  engine: z.literal("duckdb").default("duckdb"),
  memoryLimit: z
    .string()
    .meta({ title: "size" })
    .regex(/^\d+(\.\d+)?\s*(MB|GB|MiB|GiB)$/, "must be a size such as 200MB")
    .default("200MB"),
  threads: z.number().int().min(1).optional(),
});

/** The embedded engine. It stores its database in a file in the data directory. */
export const DUCKDB_ENGINE = {
  name: "duckdb",
  schema,
  needsLedger: false,
  open: async ({ memoryLimit, threads }, context) => {
    // The native library is loaded only in servers, and not in every command that reads a config.
    const { DuckDbStore } = await import("./duckdb-store.js");
    return DuckDbStore.open({ ...context, memoryLimit, ...(threads !== undefined && { threads }) });
  },
  planUpgrade: async ({ memoryLimit }, { directory }) => {
    const { planDatabase } = await import("./database.js");
    return planDatabase(directory, memoryLimit);
  },
} satisfies StoreEngine<z.output<typeof schema>>;
