import { join } from "node:path";
import type {
  AndroidDeliveryDataJson,
  DataJson,
} from "../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { groupBy } from "../../../src/model/collections.js";
import { dayOfCivil } from "../../../src/model/day.js";
import { COUNTS, type DayEntries } from "../../../src/store/delivery-data-store.js";
import { DuckDbStore } from "../../../src/store/duckdb/duckdb-store.js";
import type { OnCleanup } from "../closing.js";
import { BASE_CONFIG, VIEWER } from "./project.js";
import { type Server, startServer } from "./server.js";

/** A project that mirrors an unavailable service. */
export const MIRRORED = { id: "mirrored-project", number: "345678901234" } as const;

/** A server configuration with that project, in addition to the others. */
const MIRROR_CONFIG = {
  ...BASE_CONFIG,
  projects: [
    ...BASE_CONFIG.projects,
    { ...MIRRORED, deliveryData: { source: "mirror", mirror: { url: "http://127.0.0.1:9", apps: ["app"] } } },
  ],
  access: [...BASE_CONFIG.access, { principal: VIEWER, projects: [MIRRORED.id], role: "viewer" }],
};

/** An entry, the time at which upstream returned it, and optionally an earlier version. */
export interface GivenEntry {
  readonly entry: AndroidDeliveryDataJson;
  readonly fetchedAt: string;
  readonly before?: { readonly entry: AndroidDeliveryDataJson; readonly fetchedAt: string };
}

/** The fixture `server` of tests, for their file: a server with a mirrored project that has some entries. */
export const mirroredServer =
  (given: readonly GivenEntry[]) =>
  async (
    { sharedDirectory }: { readonly sharedDirectory: string },
    { onCleanup }: { readonly onCleanup: OnCleanup },
  ): Promise<Server> => {
    await fillMirror(sharedDirectory, given);
    const server = await startServer(sharedDirectory, MIRROR_CONFIG);
    onCleanup(async () => void (await server.stop()));
    return server;
  };

/** Writes a mirror's kept data to a stopped server's data directory. */
async function fillMirror(directory: string, given: readonly GivenEntry[]): Promise<void> {
  const store = await DuckDbStore.open({ directory: join(directory, "data"), memoryLimit: "256MB" });
  const byDay = groupBy(given, ({ entry }) => dayOf(entry));
  for (const [day, entries] of byDay) {
    await store.publish(MIRRORED.number, [{ day, entries: [columnsOf(entries)] }]);
    const versions = entries.flatMap(({ before }) =>
      before === undefined
        ? []
        : [
            {
              day,
              appId: before.entry.appId ?? "",
              label: before.entry.analyticsLabel ?? "",
              fetchedAt: Date.parse(before.fetchedAt),
              original: JSON.stringify(before.entry),
            },
          ],
    );
    await store.keepVersions(MIRRORED.number, versions);
  }
  await store.close();
}

/** The first day of an entry's date. */
const dayOf = ({ date: { year = 0, month = 1, day = 1 } = {} }: AndroidDeliveryDataJson): number =>
  dayOfCivil(year, month, day);

const columnsOf = (given: readonly GivenEntry[]): DayEntries => ({
  length: given.length,
  appIds: given.map(({ entry }) => entry.appId ?? ""),
  labels: given.map(({ entry }) => entry.analyticsLabel ?? ""),
  counts: COUNTS.map((name) => Float64Array.from(given, ({ entry }) => countOf(name, entry.data))),
  originals: given.map(({ entry }) => JSON.stringify(entry)),
  fetchedAt: given.map(({ fetchedAt }) => Date.parse(fetchedAt)),
});

/** The count computed from an entry's figures; 0 if they have no outcomes. */
function countOf(name: (typeof COUNTS)[number], data: DataJson = {}): number {
  const { countMessagesAccepted, countNotificationsAccepted = "0", messageOutcomePercents } = data;
  if (countMessagesAccepted === undefined || messageOutcomePercents === undefined) return 0;
  const field = name.replace(/_[a-z]/g, (text) => text.slice(1).toUpperCase());
  if (field === "countMessagesAccepted") return Number(countMessagesAccepted);
  if (field === "countNotificationsAccepted") return Number(countNotificationsAccepted);
  const { proxyNotificationInsightPercents: proxy = {}, ...ofMessages } = data;
  const percentIn = (group: object): number => Number((group as Record<string, unknown>)[field] ?? 0);
  const ofProxy = (percentIn(proxy) * Number(countNotificationsAccepted)) / 100;
  const groups = Object.values(ofMessages).filter((group) => typeof group === "object");
  const percent = groups.reduce((sum, group) => sum + percentIn(group), 0);
  return Math.round(ofProxy + (percent * Number(countMessagesAccepted)) / 100);
}
