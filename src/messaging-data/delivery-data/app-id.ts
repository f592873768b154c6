/** Stands for all apps of the project in place of an app id (AIP-159). */
export const ALL_APPS = "-";

/** The app id at the end of a `parent`, which has the form `projects/{project_id}/androidApps/{app_id}`. */
export const appIdOf = (parent: string): string => parent.slice(parent.lastIndexOf("/") + 1);
