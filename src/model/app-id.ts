/** Stands for all apps of a project in place of an app id (AIP-159). */
export const ALL_APPS = "-";

/** Maximum length of app and message ids, in code points. */
export const MAX_ID_LENGTH = 256;

/** Returns true if a text can be an app id. Lookups treat any other text as an unknown app. */
export function isAppId(text: string): boolean {
  return text !== "" && !/[/\p{Cc}\p{Surrogate}]/u.test(text) && [...text].length <= MAX_ID_LENGTH;
}
