import { z } from "zod";
import type { Control, ControlContext, ControlEngine } from "./control.js";
import { FILES_ENGINE } from "./embedded/files-engine.js";
import { type PostgresOptions, postgresSchema } from "./postgres/postgres-options.js";

/** A PostgreSQL database, for any number of processes. */
const POSTGRES_ENGINE = {
  name: "postgres",
  schema: postgresSchema,
  isShared: true,
  open: async (options, { clock }) => {
    // Loads the driver only where it is used.
    const { PostgresControl } = await import("./postgres/postgres-control.js");
    return PostgresControl.open(options, clock);
  },
} satisfies ControlEngine<PostgresOptions>;

/** All engines. */
const ENGINES = [FILES_ENGINE, POSTGRES_ENGINE] as const;

/** Schema of the key `control` of the configuration: of the engine that its key `engine` names. */
export const controlSchema = z.discriminatedUnion("engine", [FILES_ENGINE.schema, POSTGRES_ENGINE.schema], {
  error: ({ code }) =>
    code === "invalid_union" ? `must be one of: ${ENGINES.map(({ name }) => name).join(", ")}` : undefined,
});

/** An engine's name with its options. */
export type ControlOptions = z.output<typeof controlSchema>;

/**
 * Opens the control data of the engine that `options` name.
 *
 * @throws StoreOpenError if it cannot be used.
 */
export async function openControl(options: ControlOptions, context: ControlContext): Promise<Control> {
  return engineOf(options).open(options, context);
}

/** Returns true if any number of processes share the control data. */
export const isShared = (options: ControlOptions): boolean => engineOf(options).isShared;

/** Names of the engines that any number of processes share. */
export const SHARED_ENGINES = ENGINES.filter((engine) => engine.isShared)
  .map(({ name }) => name)
  .join(" or ");

function engineOf(options: ControlOptions): ControlEngine<ControlOptions> {
  const engines: readonly ControlEngine<ControlOptions>[] = ENGINES;
  const engine = engines.find(({ name }) => name === options.engine);
  if (engine === undefined) throw new Error(`there is no engine ${options.engine}`);
  return engine;
}
