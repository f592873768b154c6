/** Stands for all apps of the project in place of an app id (AIP-159). */
export const ALL_APPS = "-";

/** The app id at the end of a `parent`, which has the form `projects/{project_id}/androidApps/{app_id}`. */
export const appIdOf = (parent: string): string => parent.slice(parent.lastIndexOf("/") + 1);

/** Longest app id, in characters (code points). */
const MAX_APP_ID_LENGTH = 256;

/** Whether a text can be the id of an app: anything else is unknown wherever it is asked for. */
export function isAppId(text: string): boolean {
  return text !== "" && !/[/\p{Cc}\p{Surrogate}]/u.test(text) && [...text].length <= MAX_APP_ID_LENGTH;
}
