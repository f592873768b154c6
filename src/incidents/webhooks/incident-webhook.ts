import { randomUUID } from "node:crypto";
import { JsonDocument } from "../../control/json-document.js";
import type { LeaseStore } from "../../control/lease-store.js";
import { RECORD_KINDS, type RecordKind, type Records } from "../../control/records.js";
import type { WeeklyReport } from "../../gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "../../jobs/job-runner.js";
import type { HeldLease } from "../../jobs/lease-holder.js";
import { retryDelay } from "../../jobs/retry-delay.js";
import { MAX_NOTIFYING_MS } from "../../limits/data-limits.js";
import { type Clock, HOUR_MS } from "../../model/clock.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { inJob } from "../../telemetry/tracing.js";
import type { IdentifiedIncident } from "../list/app-incident.js";
import {
  afterIncidentAttempt,
  afterReportAttempt,
  afterTargetAttempt,
  type Outcome,
} from "./attempt-outcome.js";
import {
  type DocumentOf,
  type DueMessage,
  DueMessages,
  type WebhookDocuments,
  type WebhookProjects,
} from "./due-messages.js";
import {
  incidentWebhookMessage,
  type NotifiedIncident,
  type WebhookEvent,
  type WebhookMessage,
} from "./notified-incident.js";
import { knowsWeek, reportWebhookMessage, withReport } from "./notified-report.js";
import { type EvaluatedTarget, reconcileTargets, targetWebhookMessage } from "./notified-target.js";
import { reconcile } from "./reconcile.js";
import { sendOnce, type WebhookAddress } from "./webhook-address.js";
import type { WebhookStates } from "./webhook-deliveries.js";

/** Pause before the next check while another process sends, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 10_000;
/** Pause after a failure of the records, in milliseconds. */
const PAUSE_AFTER_ERROR = 5_000;
/** Interval between checks while nothing is due, in milliseconds. Evaluations trigger further checks. */
const INTERVAL = HOUR_MS;

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

export interface IncidentWebhookDependencies {
  /** Webhook name, part of the record key. */
  readonly name: string;
  readonly address: WebhookAddress;
  readonly events: readonly WebhookEvent[];
  readonly projects: WebhookProjects;
  readonly records: Pick<Records, "get" | "change">;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly observer: WebhookObserver;
}

/**
 * Notifies a URL of each new incident and each state change, of missed targets and of weekly reports, at least once.
 * The process that holds the webhook lease sends the due messages one by one, and keeps the lease until nothing is due.
 * After each failure it waits longer. After HTTP 410 it keeps the lease and sends nothing until it stops.
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
    const { records, name, events } = dependencies;
    const documents = <T>(event: WebhookEvent, kind: RecordKind): DocumentOf<T> | undefined =>
      events.includes(event) ? (project) => new JsonDocument(records, kind, `${project}/${name}`) : undefined;
    this.#documents = {
      incidents: documents("incidents", RECORD_KINDS.webhook),
      targets: documents("targets", RECORD_KINDS.webhookTargets),
      reports: documents("reports", RECORD_KINDS.webhookReports),
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
    const documentOf = this.#documents.incidents;
    if (documentOf === undefined || !this.#covers(project)) return;
    const evaluation = { until, incidents, now: this.#dependencies.clock.wall(), newKey: randomUUID };
    await documentOf(project).change((before) => reconcile(before, evaluation));
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
    const documentOf = this.#documents.targets;
    if (documentOf === undefined || !this.#covers(project)) return;
    const evaluation = { evaluated, now: this.#dependencies.clock.wall(), newKey: randomUUID };
    await documentOf(project).change((before) => reconcileTargets(before, evaluation));
    this.#recorded(project);
  }

  /** Returns true if the webhook is to receive a week's report. @throws StoreUnavailableError if that cannot be read. */
  async lacksReport(project: ProjectNumber, monday: Day): Promise<boolean> {
    const documentOf = this.#documents.reports;
    if (documentOf === undefined || !this.#covers(project)) return false;
    return !knowsWeek(await documentOf(project).read(), monday);
  }

  /**
   * Records a week's report unless one is recorded, and triggers its message. Resolves when the report is recorded, not
   * when it is sent.
   *
   * @throws StoreUnavailableError if it cannot be recorded.
   */
  async reported(project: ProjectNumber, monday: Day, report: WeeklyReport): Promise<void> {
    const ofWeek = { monday, report, now: this.#dependencies.clock.wall(), newKey: randomUUID };
    await this.#documents.reports?.(project).change((before) => withReport(before, ofWeek));
    this.#recorded(project);
  }

  async notified(project: ProjectNumber): Promise<readonly NotifiedIncident[]> {
    if (!this.#covers(project)) return [];
    return (await this.#documents.incidents?.(project).read())?.incidents ?? [];
  }

  #covers(project: ProjectNumber): boolean {
    return this.#dependencies.projects.find(project) !== undefined;
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
    await this.#record(next, "delivered");
    this.#delivered.delete(message.id);
    return 0;
  }

  /** Records an attempt's outcome. */
  async #record({ project: { number }, known: sent }: DueMessage, outcome: Outcome): Promise<void> {
    const { incidents, targets, reports } = this.#documents;
    if ("incident" in sent)
      await incidents?.(number).change((known) => afterIncidentAttempt(known, sent, outcome));
    else if ("target" in sent)
      await targets?.(number).change((known) => afterTargetAttempt(known, sent, outcome));
    else await reports?.(number).change((known) => afterReportAttempt(known, sent, outcome));
  }
}

function messageOf({ project, known }: DueMessage): WebhookMessage {
  if ("incident" in known) return incidentWebhookMessage(project, known);
  return "target" in known ? targetWebhookMessage(project, known) : reportWebhookMessage(project, known);
}
