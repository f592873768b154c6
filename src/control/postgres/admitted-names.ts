import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../../model/names.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const ADMIT = readSql("admit-names.sql");
const REMOVE = readSql("remove-names.sql");
const ERASE = readSql("erase-names.sql");

/** Maximum number of names that one step of an erasure removes. */
const NAMES_A_STEP = 10_000;

/** The apps and labels of each project that count toward its limits, in a table. */
export class AdmittedNames {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Admits all names, or none. Returns the names that exceed a limit. */
  async admit(
    project: ProjectNumber,
    names: DatedNames,
    limits: NameLimits,
  ): Promise<EventNames | undefined> {
    const excess = await this.#tryAdmit(project, names, limits);
    if (excess === undefined) return undefined;
    const [removed] = await this.#database.query<{ names: string }>("removing names", REMOVE, [project]);
    return removed?.names === "0" ? excess : this.#tryAdmit(project, names, limits);
  }

  /** Erases some names of a project. Returns true if none were left. */
  async erase(project: ProjectNumber): Promise<boolean> {
    return (await this.#database.query("erasing names", ERASE, [project, NAMES_A_STEP])).length === 0;
  }

  async #tryAdmit(
    project: ProjectNumber,
    names: DatedNames,
    { maxApps, maxLabels }: NameLimits,
  ): Promise<EventNames | undefined> {
    const kinds = ["apps", "labels"] as const;
    const all = kinds.flatMap((kind) => [...names[kind]].map(([name, day]) => ({ kind, name, day })));
    const rows = await this.#database.query<{ kind: string; name: string }>("counting names", ADMIT, [
      project,
      all.map(({ kind }) => kind),
      all.map(({ name }) => name),
      all.map(({ day }) => day),
      maxApps,
      maxLabels,
    ]);
    const excessOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);
    return rows.length === 0 ? undefined : { apps: excessOf("apps"), labels: excessOf("labels") };
  }
}
