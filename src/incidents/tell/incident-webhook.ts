import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../../control/document-store.js";
import type { LeaseStore } from "../../control/lease-store.js";
import { MAX_TOLD_MS, MAX_WEBHOOK_AT_STOP_MS } from "../../limits/limits.js";
import { type ExtendedLease, LeaseHolder } from "../../messaging-data/jobs/lease-holder.js";
import { pause } from "../../messaging-data/jobs/pause.js";
import { retryDelay } from "../../messaging-data/jobs/retry-delay.js";
import type { Clock } from "../../model/clock.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/project.js";
import type { IdentifiedIncident } from "../list/incident-ids.js";
import { type DueIncident, DueIncidents } from "./due-incidents.js";
import { reconcile } from "./reconcile.js";
import { ToldDocuments } from "./told-documents.js";
import type { ToldIncident } from "./told-incident.js";
import { sendOnce, type WebhookAddress } from "./webhook-address.js";
import { webhookMessage } from "./webhook-message.js";

/** Pause before another look, while another process tells, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 10_000;
/** Pause after what is known could not be read or written, in milliseconds. */
const PAUSE_AFTER_ERROR = 5_000;
/** Pause while nothing is due, in milliseconds: a judgement ends it. */
const PAUSE_WITHOUT_NEWS = 3_600_000;

/** Observer of a webhook. */
export interface WebhookObserver {
  /** @param failures number of failures in a row before this attempt. */
  delivered(messageId: string, failures: number): void;
  /** @param failures number of failures in a row, from 1. */
  failed(messageId: string, problem: string, failures: number): void;
  /** The address responded with HTTP 410: nothing is sent to it until the process that got it stops. */
  disabled(messageId: string): void;
  /** A message was not taken for too long, and is not sent again. */
  gaveUp(messageId: string): void;
  /** What is known cannot be read or written; it will be tried again. */
  broken(error: unknown): void;
}

/** Dependencies of an {@link IncidentWebhook}. */
export interface IncidentWebhookDependencies {
  /** Name under which is kept what was told. */
  readonly name: string;
  readonly address: WebhookAddress;
  /** The projects to tell of. */
  readonly projects: readonly Project[];
  readonly documents: DocumentStore;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly observer: WebhookObserver;
}

/**
 * Tells an address of each new incident and of each change of its state, at least once: what is known is kept in
 * documents, and the process that holds the webhook's lease sends what is due, one message after the other. It waits
 * longer after each failure, and keeps the lease until all is told. After HTTP 410, it keeps the lease and sends nothing until
 * it stops.
 */
export class IncidentWebhook {
  readonly #dependencies: IncidentWebhookDependencies;
  readonly #documents: ToldDocuments;
  readonly #leases: LeaseHolder;
  readonly #projects: ReadonlySet<string>;
  readonly #due: DueIncidents;
  /** Messages that were taken, as long as that is not recorded. */
  readonly #taken = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #wake = new AbortController();
  /** Aborts to end the pause after a failed attempt. */
  #retry = new AbortController();
  #isDisabled = false;
  #running: Promise<void> | undefined;

  constructor(dependencies: IncidentWebhookDependencies) {
    this.#dependencies = dependencies;
    this.#documents = new ToldDocuments(dependencies.documents, dependencies.name);
    this.#leases = new LeaseHolder(dependencies.leases);
    this.#projects = new Set(dependencies.projects.map(({ number }) => number));
    this.#due = new DueIncidents(this.#documents, dependencies.projects);
  }

  /** Starts to tell, beginning with what an earlier run left. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Takes a judgement of a project, and tells what is new in it. Resolves when the news is kept, not when it is told.
   *
   * @param until last day that was judged.
   * @throws StoreUnavailableError if it cannot be kept.
   */
  async judged(project: string, until: Day, incidents: readonly IdentifiedIncident[]): Promise<void> {
    if (!this.#projects.has(project)) return;
    const now = this.#dependencies.clock.wall();
    const judgement = { until, incidents, now, newKey: randomUUID };
    await this.#documents.change(project, (before) => reconcile(before, judgement));
    this.#due.add(project);
    this.#wake.abort();
  }

  /** Sends again at once what waits after a failed attempt. */
  retryNow(): void {
    this.#retry.abort();
  }

  /** True if this process got HTTP 410, and holds the webhook. */
  get isDisabled(): boolean {
    return this.#isDisabled;
  }

  /** Returns the age at `now` of the oldest state that is not told, in milliseconds, as of the last look; else 0. */
  lag(now: number): number {
    return this.#due.lag(now);
  }

  /** Sends nothing more, and waits a moment for the answer to what was sent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(() => this.#ending.abort(), MAX_WEBHOOK_AT_STOP_MS);
    await this.#running;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      const wait = await this.#round().catch((error: unknown) => {
        this.#dependencies.observer.broken(error);
        return PAUSE_AFTER_ERROR;
      });
      await this.#pause(wait, this.#wake);
    }
  }

  /** @returns the time until the next round, in milliseconds. */
  async #round(): Promise<number> {
    if ((await this.#due.next()) === undefined) return PAUSE_WITHOUT_NEWS;
    const isDone = await this.#leases.under(`webhook.${this.#dependencies.name}`, (lease) =>
      this.#tellAll(lease),
    );
    return isDone === true ? PAUSE_WITHOUT_NEWS : PAUSE_WITHOUT_LEASE;
  }

  /** Tells until nothing is due. @returns true if nothing is left. */
  async #tellAll(lease: ExtendedLease): Promise<boolean> {
    const { observer, clock, address } = this.#dependencies;
    for (let failures = 0; ; ) {
      const next = await this.#due.next();
      if (next === undefined) return true;
      if (this.#stopping.signal.aborted || lease.isLost) return false;
      const message = webhookMessage(next.project, next.known);
      const now = clock.wall();
      if (now - next.known.since > MAX_TOLD_MS) {
        await this.#record(next, { skipped: next.known.state });
        observer.gaveUp(message.id);
        continue;
      }
      if (!this.#taken.has(message.id)) {
        const failed = await sendOnce(address, message, now, this.#ending.signal);
        if (failed !== undefined) {
          if (failed.isUncertain) await this.#record(next, { isUncertain: true });
          if (this.#ending.signal.aborted) return false;
          this.#due.failed(next);
          observer.failed(message.id, failed.problem, ++failures);
          if (failed.isGone) {
            observer.disabled(message.id);
            return this.#rest(lease);
          }
          this.#retry = new AbortController();
          await this.#pause(retryDelay(failures, failed.retryAfterMs), this.#retry);
          continue;
        }
        this.#taken.add(message.id);
        observer.delivered(message.id, failures);
        failures = 0;
      }
      await this.#record(next, { told: next.known.state });
      this.#taken.delete(message.id);
    }
  }

  /** Sends nothing, and keeps other processes from it, as long as this one has the lease. @returns false. */
  async #rest(lease: ExtendedLease): Promise<false> {
    this.#isDisabled = true;
    while (!this.#stopping.signal.aborted && !lease.isLost) {
      await this.#pause(PAUSE_WITHOUT_LEASE, new AbortController());
      await this.#due.next().catch((error: unknown) => this.#dependencies.observer.broken(error));
    }
    this.#isDisabled = false;
    return false;
  }

  /** Keeps the outcome of an attempt, whatever has changed meanwhile. */
  #record({ project, known: sent }: DueIncident, outcome: Partial<ToldIncident>): Promise<void> {
    return this.#documents.change(project.number, (known) => {
      const current = known?.incidents.find(({ key }) => key === sent.key);
      if (known === undefined || (current === undefined && outcome.skipped !== undefined)) return undefined;
      // Without a current state, the incident was forgotten as unknown to the receiver, who may know it now.
      const row = current ?? { ...sent, state: "withdrawn", change: sent.change + 1 };
      const others = known.incidents.filter(({ key }) => key !== sent.key);
      return { ...known, incidents: [...others, { ...row, ...outcome }] };
    });
  }

  /** Waits until the time has passed, `wake` aborts, or the webhook stops. */
  async #pause(milliseconds: number, wake: AbortController): Promise<void> {
    const onStop = () => wake.abort();
    if (this.#stopping.signal.aborted) return;
    this.#stopping.signal.addEventListener("abort", onStop);
    await pause(milliseconds, wake.signal);
    this.#stopping.signal.removeEventListener("abort", onStop);
  }
}
