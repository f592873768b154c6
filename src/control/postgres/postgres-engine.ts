import type { Control, ControlEngine } from "../control.js";
import { type PostgresOptions, postgresSchema } from "./postgres-options.js";

/** A PostgreSQL database, for any number of processes. */
export const POSTGRES_ENGINE = {
  name: "postgres",
  schema: postgresSchema,
  isShared: true,
  open: async (options, { clock }): Promise<Control> => {
    // Loads the driver only where it is used.
    const { PostgresControl } = await import("./postgres-control.js");
    return PostgresControl.open(options, clock);
  },
} satisfies ControlEngine<PostgresOptions>;
