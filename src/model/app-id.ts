/** Stands for all apps of a project in place of an app id (AIP-159). */
export const ALL_APPS = "-";

/** The app id at the end of a `parent` of the form `projects/{project_id}/androidApps/{app_id}`. */
export const appIdOf = (parent: string): string => parent.slice(parent.lastIndexOf("/") + 1);

/** Maximum length of app and message ids, in code points. */
export const MAX_ID_LENGTH = 256;

/** Returns true if a text can be an app id. Lookups treat any other text as an unknown app. */
export function isAppId(text: string): boolean {
  return text !== "" && !/[/\p{Cc}\p{Surrogate}]/u.test(text) && [...text].length <= MAX_ID_LENGTH;
}
