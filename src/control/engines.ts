import { z } from "zod";
import type { Control, ControlContext, ControlEngine } from "./control.js";
import { FILES_ENGINE } from "./embedded/files-engine.js";
import { type PostgresOptions, postgresSchema } from "./postgres/postgres-options.js";

/** A PostgreSQL database, which any number of processes can share. */
const POSTGRES_ENGINE = {
  name: "postgres",
  schema: postgresSchema,
  isShared: true,
  open: async (options, { clock }) => {
    // Loads the driver only if it is used.
    const { PostgresControl } = await import("./postgres/postgres-control.js");
    return PostgresControl.open(options, clock);
  },
} satisfies ControlEngine<PostgresOptions>;

/** All engines. */
const ENGINES = [FILES_ENGINE, POSTGRES_ENGINE] as const;

/** Schema of the config key `control`. Its key `engine` selects the engine. */
export const controlSchema = z.discriminatedUnion("engine", [FILES_ENGINE.schema, POSTGRES_ENGINE.schema], {
  error: ({ code }) =>
    code === "invalid_union" ? `must be one of: ${ENGINES.map(({ name }) => name).join(", ")}` : undefined,
});

/** An engine's name with its options. */
export type ControlOptions = z.output<typeof controlSchema>;

/**
 * Opens the control data with the engine in `options`.
 *
 * @throws StoreOpenError if it cannot be opened.
 */
export async function openControl(options: ControlOptions, context: ControlContext): Promise<Control> {
  return engineOf(options).open(options, context);
}

/** Returns true if any number of processes can share the control data. */
export const isShared = (options: ControlOptions): boolean => engineOf(options).isShared;

/** Names of the engines that any number of processes can share. */
export const SHARED_ENGINES = ENGINES.filter((engine) => engine.isShared)
  .map(({ name }) => name)
  .join(" or ");

function engineOf(options: ControlOptions): ControlEngine<ControlOptions> {
  const engines: readonly ControlEngine<ControlOptions>[] = ENGINES;
  const engine = engines.find(({ name }) => name === options.engine);
  if (engine === undefined) throw new Error(`there is no engine ${options.engine}`);
  return engine;
}
