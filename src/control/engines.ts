import * as z from "zod";
import type { UpgradePlan } from "../sql/migrations.js";
import type { Control, ControlContext, ControlEngine } from "./control.js";
import { FILES_ENGINE } from "./embedded/files-engine.js";
import { type PostgresOptions, postgresSchema } from "./postgres/postgres-options.js";

/** PostgreSQL, as a database that any number of processes can share. */
const POSTGRES_ENGINE = {
  name: "postgres",
  schema: postgresSchema,
  isShared: true,
  open: async (options, { clock }) => {
    // The driver is loaded only if the engine is used.
    const { PostgresControl } = await import("./postgres/postgres-control.js");
    return PostgresControl.open(options, clock);
  },
  planUpgrade: async (options) => {
    const { planPostgresUpgrade } = await import("./postgres/postgres-control.js");
    return planPostgresUpgrade(options);
  },
} satisfies ControlEngine<PostgresOptions>;

const ENGINES = [FILES_ENGINE, POSTGRES_ENGINE] as const;

/** Schema of the config key `control`. Its field `engine` selects the engine. */
export const controlSchema = z.discriminatedUnion("engine", [FILES_ENGINE.schema, POSTGRES_ENGINE.schema], {
  error: ({ code }) =>
    code === "invalid_union" ? `must be one of: ${ENGINES.map(({ name }) => name).join(", ")}` : undefined,
});

export type ControlOptions = z.output<typeof controlSchema>;

/**
 * Opens the control data with the engine that `options` selects.
 *
 * @throws StoreOpenError if the control data cannot be opened.
 */
export async function openControl(options: ControlOptions, context: ControlContext): Promise<Control> {
  return engineOf(options).open(options, context);
}

/** Returns the changes that {@link openControl} would make to the schema. @throws StoreOpenError if it cannot be read. */
export const planControlUpgrade = (
  options: ControlOptions,
  context: Pick<ControlContext, "directory">,
): Promise<UpgradePlan> => engineOf(options).planUpgrade(options, context);

/** Returns true if any number of processes can share the control data. */
export const isShared = (options: ControlOptions): boolean => engineOf(options).isShared;

/** Names of the engines for any number of processes. */
export const SHARED_ENGINES = ENGINES.filter((engine) => engine.isShared)
  .map(({ name }) => name)
  .join(" or ");

function engineOf(options: ControlOptions): ControlEngine<ControlOptions> {
  const engines: readonly ControlEngine<ControlOptions>[] = ENGINES;
  const engine = engines.find(({ name }) => name === options.engine);
  if (engine === undefined) throw new Error(`there is no engine ${options.engine}`);
  return engine;
}
