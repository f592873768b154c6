import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../../../control/document-store.js";
import type { LeaseStore } from "../../../control/lease-store.js";
import { MAX_TOLD_MS, MAX_WEBHOOK_AT_STOP_MS } from "../../../limits/limits.js";
import type { Clock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import type { Project } from "../../../model/project.js";
import { type ExtendedLease, LeaseHolder } from "../../jobs/lease-holder.js";
import { pause } from "../../jobs/pause.js";
import { retryDelay } from "../../jobs/retry-delay.js";
import type { AppIncident } from "../list/app-incident.js";
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
 * longer after each failure, and keeps the lease until all is told.
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
  async judged(project: string, until: Day, incidents: readonly AppIncident[]): Promise<void> {
    if (!this.#projects.has(project)) return;
    const now = this.#dependencies.clock.wall();
    const judgement = { until, incidents, now, newId: randomUUID };
    await this.#documents.change(project, (before) => reconcile(before, judgement));
    this.#due.add(project);
    this.#wake.abort();
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
          await this.#pause(retryDelay(failures, failed.retryAfterMs));
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

  /** Keeps the outcome of an attempt, whatever has changed meanwhile. */
  #record({ project, known: sent }: DueIncident, outcome: Partial<ToldIncident>): Promise<void> {
    return this.#documents.change(project.number, (known) => {
      const current = known?.incidents.find(({ id }) => id === sent.id);
      if (known === undefined || (current === undefined && outcome.skipped !== undefined)) return undefined;
      // Without a current state, the incident was forgotten as unknown to the receiver, who may know it now.
      const row = current ?? { ...sent, state: "withdrawn", change: sent.change + 1 };
      const others = known.incidents.filter(({ id }) => id !== sent.id);
      return { ...known, incidents: [...others, { ...row, ...outcome }] };
    });
  }

  /** Waits until the time has passed, `wake` aborts, or the webhook stops. */
  async #pause(milliseconds: number, wake = new AbortController()): Promise<void> {
    const onStop = () => wake.abort();
    if (this.#stopping.signal.aborted) return;
    this.#stopping.signal.addEventListener("abort", onStop);
    await pause(milliseconds, wake.signal);
    this.#stopping.signal.removeEventListener("abort", onStop);
  }
}
