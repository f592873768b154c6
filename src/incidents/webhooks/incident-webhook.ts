import { randomUUID } from "node:crypto";
import type { LeaseStore } from "../../control/lease-store.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "../../jobs/job-runner.js";
import type { HeldLease } from "../../jobs/lease-holder.js";
import { retryDelay } from "../../jobs/retry-delay.js";
import { MAX_NOTIFYING_MS } from "../../limits/limits.js";
import type { Clock } from "../../model/clock.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { inJob } from "../../telemetry/tracing.js";
import type { IdentifiedIncident } from "../list/app-incident.js";
import {
  type DueMessage,
  DueMessages,
  NotifiedDocuments,
  type WebhookDocuments,
  type WebhookProjects,
} from "./due-messages.js";
import { incidentWebhookMessage, type NotifiedIncident, type WebhookMessage } from "./notified-incident.js";
import {
  type EvaluatedTarget,
  type NotifiedTarget,
  reconcileTargets,
  targetWebhookMessage,
} from "./notified-target.js";
import { reconcile } from "./reconcile.js";
import { sendOnce, type WebhookAddress } from "./webhook-address.js";
import type { WebhookStates } from "./webhook-deliveries.js";

/** Pause before the next check while another process sends, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 10_000;
/** Pause after a failure of the records, in milliseconds. */
const PAUSE_AFTER_ERROR = 5_000;
/** Interval between checks while nothing is due, in milliseconds. Evaluations trigger further checks. */
const INTERVAL = 3_600_000;

/** Observer of a webhook. */
export interface WebhookObserver {
  /** @param failures previous consecutive failures. */
  delivered(messageId: string, failures: number): void;
  /** @param failures consecutive failures, from 1. */
  failed(messageId: string, problem: string, failures: number): void;
  /**
   * Called when the address has responded with HTTP 410. The address gets no more messages until the process that
   * received this response stops.
   */
  disabled(messageId: string): void;
  /** Called when a message has failed for too long. It is not sent again. */
  gaveUp(messageId: string): void;
  /** Called when the records cannot be read or written. The job tries again. */
  broken(error: unknown): void;
}

/** Dependencies of an {@link IncidentWebhook}. */
export interface IncidentWebhookDependencies {
  /** Webhook name, part of the record key. */
  readonly name: string;
  readonly address: WebhookAddress;
  /** Projects of the webhook. */
  readonly projects: WebhookProjects;
  readonly records: Pick<Records, "get" | "change">;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly observer: WebhookObserver;
}

/**
 * Notifies a URL of each new incident and each state change, and of missed targets, at least once. The process that holds the webhook lease
 * sends the due messages one by one, and keeps the lease until nothing is due. After each failure it waits longer.
 * After HTTP 410 it keeps the lease and sends nothing until it stops.
 */
export class IncidentWebhook implements Job, WebhookStates {
  readonly runner: JobRunner;
  readonly name: string;
  readonly webhook: string;
  readonly interval = INTERVAL;
  readonly pauseWithoutLease = PAUSE_WITHOUT_LEASE;
  readonly #dependencies: IncidentWebhookDependencies;
  readonly #documents: WebhookDocuments;
  readonly #due: DueMessages;
  /** Delivered messages that are not recorded yet. */
  readonly #delivered = new Set<string>();
  #failuresInARow = 0;
  /** The lease that was held when the address responded with HTTP 410. */
  #disabledUnder: HeldLease | undefined;

  constructor(dependencies: IncidentWebhookDependencies) {
    this.name = `webhook.${dependencies.name}`;
    this.webhook = dependencies.name;
    this.#dependencies = dependencies;
    const { records, name } = dependencies;
    this.#documents = {
      incidents: new NotifiedDocuments(records, RECORD_KINDS.webhook, name),
      targets: new NotifiedDocuments(records, RECORD_KINDS.webhookTargets, name),
    };
    this.#due = new DueMessages(this.#documents, dependencies.projects);
    this.runner = new JobRunner(this, dependencies.leases);
  }

  /**
   * Records new states after an evaluation of a project, and triggers their messages. Resolves when they are recorded,
   * not when they are sent.
   *
   * @param until last evaluated day.
   * @throws StoreUnavailableError if they cannot be recorded.
   */
  async evaluated(project: string, until: Day, incidents: readonly IdentifiedIncident[]): Promise<void> {
    const { projects, clock } = this.#dependencies;
    if (projects.find(project) === undefined) return;
    const evaluation = { until, incidents, now: clock.wall(), newKey: randomUUID };
    await this.#documents.incidents.change(project, (before) => reconcile(before, evaluation));
    this.#recorded(project);
  }

  /**
   * Records new states after an evaluation of a project's targets, and triggers their messages. Resolves when they are
   * recorded, not when they are sent.
   *
   * @param evaluated all targets of the project.
   * @throws StoreUnavailableError if they cannot be recorded.
   */
  async evaluatedTargets(project: string, evaluated: readonly EvaluatedTarget[]): Promise<void> {
    const { projects, clock } = this.#dependencies;
    if (projects.find(project) === undefined) return;
    const evaluation = { evaluated, now: clock.wall(), newKey: randomUUID };
    await this.#documents.targets.change(project, (before) => reconcileTargets(before, evaluation));
    this.#recorded(project);
  }

  async notified(project: ProjectNumber): Promise<readonly NotifiedIncident[]> {
    if (this.#dependencies.projects.find(project) === undefined) return [];
    return (await this.#documents.incidents.read(project))?.incidents ?? [];
  }

  /** True if this process received HTTP 410 and holds the lease. */
  get isDisabled(): boolean {
    return this.#disabledUnder?.isLost === false;
  }

  /** Returns the age at `now` of the oldest unsent state, in milliseconds; 0 if there is none. */
  lag(now: number): number {
    return this.#due.lag(now);
  }

  async isDue(): Promise<boolean> {
    await this.#due.refresh();
    return this.#due.next !== undefined;
  }

  failed(error: unknown): void {
    this.#failuresInARow = 0;
    this.#dependencies.observer.broken(error);
  }

  pauseAfter(): number {
    return PAUSE_AFTER_ERROR;
  }

  /** Triggers due messages of a project. */
  #recorded(project: string): void {
    this.#due.add(project);
    this.runner.notice();
  }

  /** Sends the next due message. */
  async run({ lease, signal }: JobRun): Promise<NextRun> {
    if (this.isDisabled) {
      await this.#due.refresh().catch((error: unknown) => this.#dependencies.observer.broken(error));
      return { after: PAUSE_WITHOUT_LEASE, keepsLease: true, ignoresNotices: true };
    }
    await this.#due.refresh();
    const { next } = this.#due;
    if (next === undefined) {
      this.#failuresInARow = 0;
      return { after: INTERVAL };
    }
    const pause = await this.#deliver(next, lease, signal);
    return { after: pause, keepsLease: true, ignoresNotices: true };
  }

  /** Sends a state. @returns the time until the next attempt, in milliseconds. */
  async #deliver(next: DueMessage, lease: HeldLease, signal: AbortSignal): Promise<number> {
    const { observer, clock, address } = this.#dependencies;
    const message = messageOf(next);
    const now = clock.wall();
    if (now - next.known.since > MAX_NOTIFYING_MS) {
      await this.#record(next, "givenUp");
      observer.gaveUp(message.id);
      return 0;
    }
    if (!this.#delivered.has(message.id)) {
      const failed = await inJob("webhook delivery", { "waybill.webhook": this.webhook }, () =>
        sendOnce(address, message, now, signal),
      );
      if (failed !== undefined) {
        if (failed.isUncertain) await this.#record(next, "isUncertain");
        if (signal.aborted) return 0;
        this.#due.failed(next);
        observer.failed(message.id, failed.problem, ++this.#failuresInARow);
        if (!failed.isGone) return retryDelay(this.#failuresInARow, failed.retryAfterMs);
        observer.disabled(message.id);
        this.#disabledUnder = lease;
        return 0;
      }
      this.#delivered.add(message.id);
      observer.delivered(message.id, this.#failuresInARow);
      this.#failuresInARow = 0;
    }
    await this.#record(next, "told");
    this.#delivered.delete(message.id);
    return 0;
  }

  /** Records an attempt's outcome, even if the state has changed since. */
  #record({ project, known: sent }: DueMessage, outcome: Outcome): Promise<void> {
    return "target" in sent
      ? this.#recordTarget(project.number, sent, outcome)
      : this.#recordIncident(project.number, sent, outcome);
  }

  #recordIncident(project: ProjectNumber, sent: NotifiedIncident, outcome: Outcome): Promise<void> {
    return this.#documents.incidents.change(project, (known) => {
      const current = known?.incidents.find(({ key }) => key === sent.key);
      if (known === undefined || (current === undefined && outcome === "givenUp")) return undefined;
      // The incident can have been dropped because the receiver did not know it. After this attempt, the receiver can
      // know it.
      const row = current ?? { ...sent, state: "withdrawn", change: sent.change + 1 };
      const others = known.incidents.filter(({ key }) => key !== sent.key);
      return { ...known, incidents: [...others, { ...row, ...fieldsOf(outcome, sent.state) }] };
    });
  }

  #recordTarget(project: ProjectNumber, sent: NotifiedTarget, outcome: Outcome): Promise<void> {
    return this.#documents.targets.change(project, (known) => {
      const current = known?.targets.find(({ key }) => key === sent.key);
      // The target can have been deleted.
      if (known === undefined || current === undefined) return undefined;
      const { skipped, ...row } = current;
      // After this attempt, the receiver can know that the target was missed.
      const kept = outcome === "givenUp" && skipped !== undefined ? { skipped } : {};
      const others = known.targets.filter(({ key }) => key !== sent.key);
      return { targets: [...others, { ...row, ...kept, ...fieldsOf(outcome, sent.state) }] };
    });
  }
}

/** Outcome of an attempt, named after the field that records it. */
type Outcome = "told" | "givenUp" | "isUncertain";

const fieldsOf = <S extends string>(outcome: Outcome, state: S) =>
  outcome === "isUncertain" ? { isUncertain: true } : { [outcome]: state };

const messageOf = ({ project, known }: DueMessage): WebhookMessage =>
  "target" in known ? targetWebhookMessage(project, known) : incidentWebhookMessage(project, known);
