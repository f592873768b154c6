import { dayOfJson, formatDay } from "../../../src/model/day.js";
import { send } from "../http/exchange.js";
import { PROJECT } from "../servers/project.js";

export interface Entry {
  readonly appId: string;
  readonly date: { readonly year: number; readonly month: number; readonly day: number };
  readonly analyticsLabel?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly androidDeliveryData?: readonly Entry[];
  readonly nextPageToken?: string;
}

/** Request target of an app's list. */
export const listOf = (appId: string, project: string = PROJECT.id): string =>
  `/v1beta1/projects/${project}/androidApps/${appId}/deliveryData`;

/** Request target of an app's incidents. */
export const incidentsOf = (appId: string, project: string = PROJECT.id): string =>
  `/v1beta1/projects/${project}/androidApps/${appId}/incidents`;

let messages = 0;

/** Creates an ACCEPTED event for a new message. */
export function accepted(appId: string, eventTime: string, analyticsLabel = ""): object {
  messages += 1;
  return {
    appId,
    messageId: `message-${messages}`,
    eventTime,
    eventType: "ACCEPTED",
    usageReportingOptIn: true,
    ...(analyticsLabel !== "" && { analyticsLabel }),
  };
}

/** Reads all pages, starting with a token's page or the first one. `target` must have a query. */
export async function allPages(url: string, target: string, token: string, from = ""): Promise<Page[]> {
  const pages: Page[] = [];
  for (let pageToken = from; ; ) {
    const { text } = await send(url, `${target}&pageToken=${pageToken}`, { token });
    const page = JSON.parse(text) as Page;
    pages.push(page);
    if (page.nextPageToken === undefined) return pages;
    pageToken = page.nextPageToken;
  }
}

/** Short form of an entry, such as `2026-01-02 label`. */
export const entryName = ({ date, analyticsLabel = "" }: Entry): string =>
  `${formatDay(dayOfJson(date))} ${analyticsLabel}`;

/** Compares entries in list order: newest date first, then app id and label by bytes. */
export const inListOrder = (a: Entry, b: Entry): number =>
  dayOfJson(b.date) - dayOfJson(a.date) ||
  byBytes(a.appId, b.appId) ||
  byBytes(a.analyticsLabel ?? "", b.analyticsLabel ?? "");

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
