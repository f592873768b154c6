import { ANDROID_APP, PROJECT } from "../servers/project.js";
import type { Server } from "../servers/server.js";
import { accepted } from "./delivery-data.js";
import { importEvents } from "./import.js";

/** An app with an entry for each of twelve labels, which makes two pages of five and one of two. */
export const PARENT = `projects/${PROJECT.id}/androidApps/${ANDROID_APP}`;
export const LABELS = ["", ..."abcdefghijk"];
/** Short forms of the entries, in list order. */
export const ENTRIES = LABELS.map((label) => `2026-01-02 ${label}`);

/** Imports the entries' events, and waits until they are listed. */
export async function importEntries(server: Server, token: string): Promise<void> {
  const events = LABELS.map((label) => accepted(ANDROID_APP, "2026-01-02T20:00:00Z", label));
  await importEvents(server, token, events, { appId: ANDROID_APP, entries: LABELS.length });
}
