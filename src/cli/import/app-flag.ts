import { InvalidArgumentError } from "commander";

/** The apps that `--app` names. */
export interface Apps {
  /** Id of the app of rows that name none. */
  readonly unnamed?: string;
  /** App ids by the name that rows have for the app. */
  readonly named: ReadonlyMap<string, string>;
}

/** Ids of apps are what rows say. */
export const NO_APPS: Apps = { named: new Map() };

/** Adds a value of the flag: `ID`, or `NAME=ID`. */
export function parseApp(given: string, apps: Apps = NO_APPS): Apps {
  const at = given.indexOf("=");
  const [name, id] = at < 0 ? [undefined, given] : [given.slice(0, at), given.slice(at + 1)];
  if (name === "" || id === "") throw new InvalidArgumentError("It must be ID, or NAME=ID.");
  if (name === undefined) return { ...apps, unnamed: id };
  return { ...apps, named: new Map([...apps.named, [name, id]]) };
}
