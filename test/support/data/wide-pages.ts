import { EDITOR } from "../servers/project.js";
import type { Server } from "../servers/server.js";
import { accepted, listOf } from "./delivery-data.js";
import { importEvents } from "./import.js";

/** An app with an id of the maximum length. */
export const WIDE_APP = `1:123456789012:android:${"w".repeat(233)}`;

/** Number of entries of the app. */
export const WIDE_ENTRIES = 10_000;

/** The entries' analytics labels, in the order of pages. */
export const WIDE_LABELS: readonly string[] = Array.from({ length: WIDE_ENTRIES }, (_, index) =>
  String(index).padStart(50, "-"),
);

/** Stores enough entries for an app's largest page to have several megabytes. */
export async function importWidePages(server: Server): Promise<void> {
  const events = WIDE_LABELS.map((label) => accepted(WIDE_APP, "2026-01-05T12:00:00Z", label));
  const awaited = { appId: WIDE_APP, entries: WIDE_ENTRIES };
  await importEvents(server, await server.token(EDITOR), events, awaited);
}

/** A page's request target; each number has its own. */
export const widePage = (number: number): string =>
  `${listOf(encodeURIComponent(WIDE_APP))}?pageSize=${WIDE_ENTRIES - number}`;
