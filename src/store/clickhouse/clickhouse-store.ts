import type { DayLedger } from "../../control/day-ledger.js";
import type { Fence, LeaseStore } from "../../control/lease-store.js";
import { SerialQueue } from "../../limits/pacing.js";
import type { Day } from "../../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../../model/due-days.js";
import type { NameLimits, ProjectNumber } from "../../model/names.js";
import type {
  AppQuery,
  AppWithEntries,
  CountsQuery,
  EntryColumns,
  EntryQuery,
  GroupColumns,
  HistoryQuery,
  LabelHistory,
  PublishedDay,
  SumQuery,
} from "../delivery-data-store.js";
import { type Appended, NAME_LIMITS } from "../message-event-store.js";
import type { EntryVersion, ResponseQuery, StoredResponse, VersionQuery } from "../mirror-store.js";
import type { StateBlock } from "../state-block.js";
import type { Store, StoreFigures } from "../store.js";
import { StoreCalls } from "../store-calls.js";
import type { Connection } from "./connection.js";
import { orUnavailable } from "./engine-error.js";
import { Health } from "./health.js";
import { StoredResponses } from "./kept-responses.js";
import { KeptVersions } from "./kept-versions.js";
import { openTables, type TableOptions, type Tables } from "./open-tables.js";
import { EntryReader } from "./read/entry-reader.js";
import { DayPartitions } from "./write/day-partitions.js";
import { DayPublisher } from "./write/day-publisher.js";
import { Erasure } from "./write/erasure.js";
import { EventWriter } from "./write/event-writer.js";
import { InsertSlots } from "./write/insert-slots.js";
import { OldEntries } from "./write/old-entries.js";
import { ProjectNames } from "./write/project-names.js";

export interface ClickHouseOptions extends TableOptions {
  /** Day ledger that all processes share. */
  readonly ledger: DayLedger;
  /** Leases for insert slots. Omitted if no other process uses the tables. */
  readonly leases?: LeaseStore | undefined;
  readonly nameLimits?: NameLimits | undefined;
}

/** Used instead of insert slots if inserts may happen at any time. */
const NO_SLOTS: Pick<InsertSlots, "use"> = { use: (work) => work() };

/**
 * The store in ClickHouse, on a single server or in a cluster. Any number of processes may share its tables. They
 * coordinate through the day ledger.
 */
export class ClickHouseStore implements Store {
  readonly countsWholeDays = true;
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #states: DayPartitions;
  readonly #writer: EventWriter;
  readonly #publisher: DayPublisher;
  readonly #oldEntries: OldEntries;
  readonly #reader: EntryReader;
  readonly #responses: StoredResponses;
  readonly #versions: KeptVersions;
  readonly #erasure: Erasure;
  readonly #health: Health;
  /** Serializes publications of this process, because replicas reject concurrent inserts with a quorum. */
  readonly #publications = new SerialQueue();
  readonly #calls = new StoreCalls("clickhouse");

  private constructor(tables: Tables, { ledger, leases, nameLimits = NAME_LIMITS }: ClickHouseOptions) {
    const { connection, clock, place } = tables;
    // A single server accepts concurrent inserts.
    const slots =
      leases === undefined || place.cluster === undefined
        ? NO_SLOTS
        : new InsertSlots(leases, place.database);
    this.#connection = connection;
    this.#ledger = ledger;
    this.#states = new DayPartitions("message_states", tables);
    this.#writer = new EventWriter({ ...tables, ledger, slots, names: new ProjectNames(ledger, nameLimits) });
    this.#publisher = new DayPublisher({ ...tables, ledger, states: this.#states });
    this.#oldEntries = new OldEntries(connection, ledger, clock, place);
    this.#reader = new EntryReader(tables, ledger);
    this.#responses = new StoredResponses(tables);
    this.#versions = new KeptVersions(tables);
    this.#erasure = new Erasure(tables, ledger);
    this.#health = new Health(tables, ledger);
  }

  get rollUpMs(): number | undefined {
    return this.#publisher.rollUpMs;
  }

  /**
   * Opens the store. Creates its tables on first use.
   *
   * @throws StoreOpenError if no server responds, the cluster is unknown, or a newer Waybill version created the
   *   tables.
   */
  static async open(options: ClickHouseOptions): Promise<ClickHouseStore> {
    return new ClickHouseStore(await openTables(options), options);
  }

  async append(
    project: ProjectNumber,
    events: readonly StateBlock[],
    signal?: AbortSignal,
  ): Promise<Appended> {
    const append = async (): Promise<number> =>
      events.every(({ length }) => length === 0) ? 0 : this.#writer.append(project, events, signal);
    return { tooLate: await this.#calls.run("storing events", append) };
  }

  isEmpty(): Promise<boolean> {
    return this.#run("looking for events", () => this.#ledger.isEmpty());
  }

  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]> {
    return this.#run("reading the stale projects", () => this.#ledger.staleProjects(listed));
  }

  staleDays(query: StaleDayQuery): Promise<readonly Day[]> {
    return this.#run("reading the stale days", () => this.#ledger.staleDays(query));
  }

  rollUp(project: ProjectNumber, days: readonly Day[], fence?: Fence, signal?: AbortSignal): Promise<number> {
    const work = () => this.#publisher.rollUp(project, days, fence, signal);
    return this.#publish("rolling up days", work, signal);
  }

  publish(project: ProjectNumber, days: readonly PublishedDay[], fence?: Fence): Promise<void> {
    return this.#publish("publishing days", () => this.#publisher.publish(project, days, fence));
  }

  seal(until: Day): Promise<void> {
    return this.#run("sealing days", () => this.#ledger.seal(until));
  }

  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]> {
    return this.#run("looking for expired days", () => this.#ledger.expiredProjects(entriesUntil));
  }

  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]> {
    return this.#run("reading the expired days", () => this.#ledger.expiredDays(query));
  }

  removeExpired(project: ProjectNumber, days: readonly Day[], entriesUntil?: Day): Promise<number> {
    return this.#run("removing expired days", async () => {
      const closed = await this.#ledger.closeDays(project, days);
      await this.#states.drop(project, closed);
      await this.#ledger.forgetStates(project, closed);
      const withoutEntries = closed.filter((day) => entriesUntil !== undefined && day <= entriesUntil);
      // Versions are removed before entries. If this fails in between, the entries still show which days are left.
      await this.#versions.remove(project, withoutEntries);
      // Responses before the last of these days contain no data about later days.
      if (withoutEntries.length > 0) await this.#responses.removeBefore(project, Math.max(...withoutEntries));
      await this.#publisher.withdraw(project, withoutEntries);
      return days.length;
    });
  }

  erase(project: ProjectNumber): Promise<boolean> {
    return this.#run("erasing a project", () => this.#erasure.step(project));
  }

  version(project: ProjectNumber, until: Day): Promise<string> {
    return this.#ledger.version(project, until);
  }

  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    return this.#read(() => this.#reader.read(query, signal), signal);
  }

  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]> {
    return this.#read(() => this.#reader.sum(query, signal), signal);
  }

  readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]> {
    return this.#read(() => this.#reader.readHistories(query, signal), signal);
  }

  digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string> {
    return this.#read(() => this.#reader.digestCounts(query, signal), signal);
  }

  projectsWithEntries(): Promise<readonly string[]> {
    return this.#run("listing projects", () => this.#ledger.publishedProjects());
  }

  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]> {
    return this.#read(() => this.#reader.listApps(query, signal), signal);
  }

  storeResponse(project: ProjectNumber, response: StoredResponse): Promise<void> {
    return this.#run("storing a response", () => this.#responses.keep(project, response));
  }

  readResponses(query: ResponseQuery): Promise<readonly StoredResponse[]> {
    return this.#run("reading responses", () => this.#responses.read(query));
  }

  keepVersions(project: ProjectNumber, versions: readonly EntryVersion[]): Promise<void> {
    return this.#run("storing entry versions", () => this.#versions.keep(project, versions));
  }

  readVersions(query: VersionQuery, signal?: AbortSignal): Promise<readonly EntryVersion[]> {
    return this.#read(() => this.#versions.read(query, signal), signal);
  }

  check(): Promise<void> {
    return this.#run("checking the store", () => this.#health.check());
  }

  hasImportQuorum(): Promise<boolean> {
    return this.#run("counting replicas", () => this.#health.hasImportQuorum());
  }

  figures(): Promise<StoreFigures> {
    return this.#run("measuring the store", () => this.#health.figures());
  }

  async close(): Promise<void> {
    await this.#calls.close();
    await this.#writer.idle();
    await this.#connection.close();
  }

  #publish<T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const publish = async () => {
      const result = await this.#publications.run(work);
      // Old entries that remain do no harm, because the next removal includes them.
      await this.#oldEntries.removeSometimes().catch(() => {});
      return result;
    };
    return this.#run(what, publish, signal);
  }

  #read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#run("reading delivery data", work, signal);
  }

  #run<T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#calls.run(what, async () => {
      signal?.throwIfAborted();
      return orUnavailable(what, work, signal);
    });
  }
}
