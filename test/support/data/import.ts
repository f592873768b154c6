import { type HttpResponse, send } from "../http/exchange.js";
import { poll } from "../poll.js";
import { PROJECT } from "../servers/project.js";
import type { Server } from "../servers/server.js";
import { allPages, type Entry, listOf, type Page } from "./delivery-data.js";

export const importInto = (project: string = PROJECT.id): string =>
  `/v1beta1/projects/${project}/messageEvents:import`;

/** Returns an import body with these events. */
export const ndjson = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

// biome-ignore lint/suspicious/noExplicitAny: tests read lines of many shapes.
export const parsedLines = (text: string): any[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Options of {@link postEvents}. */
export interface ImportOptions {
  readonly project?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an import with an unchanged body. */
export function postEvents(
  { messagingDataUrl }: Pick<Server, "messagingDataUrl">,
  token: string,
  body: string | Buffer,
  { project, headers = {} }: ImportOptions = {},
): Promise<HttpResponse> {
  return send(messagingDataUrl, importInto(project), {
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson", ...headers },
    body: Buffer.from(body),
  });
}

/** Imports lines of events. @throws Error if the server does not accept them. */
export async function importBatch(
  server: Pick<Server, "messagingDataUrl">,
  token: string,
  lines: string,
): Promise<void> {
  const { status, text } = await postEvents(server, token, lines);
  if (status !== 200) throw new Error(`the import was responded with ${text}`);
}

/** Imports events and waits until the first page of an app has a number of entries. */
export async function importEvents(
  server: Pick<Server, "messagingDataUrl">,
  token: string,
  events: readonly object[],
  awaited: { readonly appId: string; readonly entries: number },
): Promise<void> {
  await importBatch(server, token, ndjson(events));
  const entriesListed = async (): Promise<number> => {
    const target = `${listOf(awaited.appId)}?pageSize=10000`;
    const { text } = await send(server.messagingDataUrl, target, { token });
    return (JSON.parse(text) as Page).androidDeliveryData?.length ?? 0;
  };
  await poll(entriesListed, (count) => count === awaited.entries);
}

/** All entries of an app, read over several pages if needed. */
export async function entriesOf(
  { messagingDataUrl }: Pick<Server, "messagingDataUrl">,
  token: string,
  appId: string,
  pageSize = 10_000,
): Promise<Entry[]> {
  const pages = await allPages(messagingDataUrl, `${listOf(appId)}?pageSize=${pageSize}`, token);
  return pages.flatMap(({ androidDeliveryData }) => androidDeliveryData ?? []);
}

/** Polls an app's entries until `accept` returns true. After the time limit, returns the last entries. */
export function entriesOnceThey(
  server: Pick<Server, "messagingDataUrl">,
  token: string,
  appId: string,
  accept: (entries: readonly Entry[]) => boolean,
): Promise<Entry[]> {
  return poll(() => entriesOf(server, token, appId), accept);
}

/** Accepted messages of an app by label, over all days. */
export function countsByLabel(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { analyticsLabel = "", data } of entries) {
    const count = Number(data.countMessagesAccepted ?? 0);
    counts.set(analyticsLabel, (counts.get(analyticsLabel) ?? 0) + count);
  }
  return counts;
}
