import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { AppKey } from "../../integrity/app-key.js";
import type { AttestationFailure } from "../../integrity/failures/attestation-failures.js";
import { MAX_FAILED_APPS } from "../../limits/data-limits.js";
import type { AppCount } from "../../messaging-data/jobs/app-counts.js";

export interface RollupFigures {
  /** Age of the oldest change that has not been rolled up, in seconds. */
  readonly lag: () => number;
  /** Number of days with changes that have not been rolled up. */
  readonly staleDays: () => number;
}

export interface RetentionFigures {
  /** Time by which the oldest pending removal is overdue, in seconds. */
  readonly lag: () => number;
  /** Number of days with data to remove. */
  readonly dueDays: () => number;
}

/** All servers of a process share this counter, because they share the log. */
export const droppedLogLines = new Counter({
  name: "waybill_log_lines_dropped_total",
  help: "Log lines that were dropped because they could not be written.",
  registers: [],
});

/** All servers of a process share this counter, because they share the export of spans. */
export const droppedSpans = new Counter({
  name: "waybill_spans_dropped_total",
  help: "Spans that were not exported: because too many were waiting, or because the export failed.",
  labelNames: ["reason"] as const,
  registers: [],
});

export interface WebhookFigures {
  /** Age of the oldest change that the webhook has not received, in seconds. */
  readonly lag: () => number;
  /** True if this process has disabled the webhook. */
  readonly isDisabled: () => boolean;
}

/** The server's metrics, in Prometheus text format. */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: "waybill_request_duration_seconds",
    help: "Time from request head to response end, by operation and HTTP status.",
    labelNames: ["service", "operation", "status"] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  readonly importedEvents = new Counter({
    name: "waybill_imported_events_total",
    help: "Message events of successful imports: stored, or left out because the device did not opt in, because the day is sealed, or because the line is invalid.",
    labelNames: ["result"] as const,
    registers: [this.registry],
  });

  readonly rollups = new Histogram({
    name: "waybill_rollup_duration_seconds",
    help: "Time to compute and publish the delivery data of one day, or of small days of one project together.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  });

  readonly expiredDays = new Counter({
    name: "waybill_retention_expired_days_total",
    help: "Project days with message states or delivery data that were removed because of their age.",
    registers: [this.registry],
  });

  readonly webhookMessages = new Counter({
    name: "waybill_webhook_messages_total",
    help: "Attempts to deliver a webhook message, and dropped messages, by webhook.",
    labelNames: ["webhook", "result"] as const,
    registers: [this.registry],
  });

  readonly issuedTokens = new Counter({
    name: "waybill_app_tokens_issued_total",
    help: "Issued app tokens, by provider: app_attest, custom or debug.",
    labelNames: ["provider"] as const,
    registers: [this.registry],
  });

  readonly consumedTokens = new Counter({
    name: "waybill_app_tokens_consumed_total",
    help: "App tokens that were verified for replay protection. The result is first, or reused for a token that was consumed before.",
    labelNames: ["result"] as const,
    registers: [this.registry],
  });

  readonly #attestationFailures = new Counter({
    name: "waybill_attestation_failures_total",
    help: "Rejected exchanges for app tokens, by app, provider and failed step. Series without an app count all apps that have no series of their own.",
    labelNames: ["project", "app", "provider", "step"] as const,
    registers: [this.registry],
  });

  readonly storeErrors = new Counter({
    name: "waybill_store_errors_total",
    help: "Failed store calls, by caller.",
    labelNames: ["caller"] as const,
    registers: [this.registry],
  });

  readonly closedConnections = new Counter({
    name: "waybill_connections_closed_total",
    help: "Connections closed by the connection limits.",
    registers: [this.registry],
  });

  readonly lastBackup = new Gauge({
    name: "waybill_last_backup_timestamp_seconds",
    help: "Start time of the last complete backup, in seconds since the Unix epoch; 0 before the first.",
    registers: [this.registry],
  });

  /** Apps with their own series of attestation failures: the first ones, because counters never fall. */
  readonly #failedApps = new Set<string>();

  constructor() {
    this.registry.registerMetric(droppedLogLines);
    this.registry.registerMetric(droppedSpans);
    collectDefaultMetrics({ register: this.registry });
  }

  countAttestationFailure({ project, appId }: AppKey, { provider, step }: AttestationFailure): void {
    const key = `${project}/${appId}`;
    if (this.#failedApps.size < MAX_FAILED_APPS) this.#failedApps.add(key);
    const app = this.#failedApps.has(key) ? { project, app: appId } : { project: "", app: "" };
    this.#attestationFailures.inc({ ...app, provider, step });
  }

  watchRollups({ lag, staleDays }: RollupFigures): void {
    new Gauge({
      name: "waybill_rollup_stale_days",
      help: "Listed days of projects with stored events that are not in the delivery data.",
      registers: [this.registry],
      collect() {
        this.set(staleDays());
      },
    });
    new Gauge({
      name: "waybill_rollup_lag_seconds",
      help: "Waiting time of the oldest stored event of a listed day that is not in the delivery data; 0 if all are.",
      registers: [this.registry],
      collect() {
        this.set(lag());
      },
    });
  }

  watchIncidents(figures: () => readonly AppCount[]): void {
    new Gauge({
      name: "waybill_ongoing_incidents",
      help: "Ongoing incidents, by project number and app. The series without an app counts all apps that have no series of their own.",
      labelNames: ["project", "app"] as const,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { project, app, count } of figures()) this.set({ project, app }, count);
      },
    });
  }

  watchTargets(figures: () => readonly AppCount[]): void {
    new Gauge({
      name: "waybill_missed_targets",
      help: "Targets missed on the last complete day, by project number and app. The series without an app counts all apps that have no series of their own.",
      labelNames: ["project", "app"] as const,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { project, app, count } of figures()) this.set({ project, app }, count);
      },
    });
  }

  watchTokenKeys(signingSince: () => number | undefined): void {
    new Gauge({
      name: "waybill_token_key_first_use_timestamp_seconds",
      help: "First use of the key that signs tokens, in seconds since the Unix epoch; 0 before there is a key.",
      registers: [this.registry],
      collect() {
        this.set((signingSince() ?? 0) / 1_000);
      },
    });
  }

  watchWebhooks(webhooks: ReadonlyMap<string, WebhookFigures>): void {
    new Gauge({
      name: "waybill_webhook_lag_seconds",
      help: "Age of the oldest change of an incident or target that was not delivered to a webhook; 0 without one.",
      labelNames: ["webhook"] as const,
      registers: [this.registry],
      collect() {
        for (const [webhook, { lag }] of webhooks) this.set({ webhook }, lag());
      },
    });
    new Gauge({
      name: "waybill_webhook_disabled",
      help: "1 if a webhook responded with HTTP 410 to this process, and gets no further messages until it restarts; otherwise 0.",
      labelNames: ["webhook"] as const,
      registers: [this.registry],
      collect() {
        for (const [webhook, { isDisabled }] of webhooks) this.set({ webhook }, Number(isDisabled()));
      },
    });
  }

  watchRetention({ lag, dueDays }: RetentionFigures): void {
    new Gauge({
      name: "waybill_retention_lag_seconds",
      help: "Delay of the oldest overdue removal by retention; 0 if none is overdue.",
      registers: [this.registry],
      collect() {
        this.set(lag());
      },
    });
    new Gauge({
      name: "waybill_retention_due_days",
      help: "Project days with message states or delivery data that are due for removal because of their age.",
      registers: [this.registry],
      collect() {
        this.set(dueDays());
      },
    });
  }
}
