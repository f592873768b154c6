import { allPages, type Entry, listOf } from "./delivery-data.js";
import { type Answer, send } from "./exchange.js";
import { poll } from "./poll.js";
import { PROJECT } from "./project.js";
import type { Server } from "./server.js";

/** The target of imports into a project. */
export const importInto = (project: string = PROJECT.id): string =>
  `/v1beta1/projects/${project}/messageEvents:import`;

/** The body of an import with these events. */
export const ndjson = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

/** Options of {@link postEvents}. */
export interface ImportOptions {
  readonly project?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an import with the body as given. */
export function postEvents(
  { messagingDataUrl }: Pick<Server, "messagingDataUrl">,
  token: string,
  body: string | Buffer,
  { project, headers = {} }: ImportOptions = {},
): Promise<Answer> {
  return send(messagingDataUrl, importInto(project), {
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson", ...headers },
    body: Buffer.from(body),
  });
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

/** Polls the entries of an app until they are accepted; returns the last ones read if time runs out. */
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
