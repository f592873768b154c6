import { secretOfFile } from "../../auth/tokens/introspection-endpoint.js";
import type { WebhookProjects } from "../../incidents/webhooks/due-messages.js";
import { IncidentWebhook, type WebhookObserver } from "../../incidents/webhooks/incident-webhook.js";
import { readSecrets } from "../../incidents/webhooks/webhook-address.js";
import type { Project } from "../../model/names.js";
import { systemProblem } from "../../model/system-error.js";
import type { Registry } from "../../registry/registry.js";
import { ConfigError } from "../config/config-values.js";
import type { WebhookFigures } from "../operators/metrics.js";
import type { ServerParts } from "../server-parts.js";

type Parts = Pick<
  ServerParts,
  "config" | "registry" | "control" | "metrics" | "logger" | "failures" | "clock"
>;

/** Creates the webhooks in the config. @throws ConfigError if a secret cannot be used. */
export async function openWebhooks(parts: Parts): Promise<readonly IncidentWebhook[]> {
  const { config, registry, control, metrics, clock } = parts;
  const figures = new Map<string, WebhookFigures>();
  const webhooks: IncidentWebhook[] = [];
  for (const [index, configured] of config.messagingData.incidents.webhooks.entries()) {
    const { name, url, secretFile, events, projects } = configured;
    const keys = await webhookKeys(secretFile, index);
    const webhook = new IncidentWebhook({
      name,
      address: { url, keys },
      events,
      projects: webhookProjects(registry, projects),
      records: control.records,
      leases: control.leases,
      clock,
      observer: observerOf(name, parts),
    });
    webhooks.push(webhook);
    figures.set(name, {
      lag: () => webhook.lag(clock.wall()) / 1000,
      isDisabled: () => webhook.isDisabled,
    });
  }
  metrics.watchWebhooks(figures);
  return webhooks;
}

/**
 * Returns a function that reads a webhook's keys.
 *
 * @throws ConfigError if the keys cannot be read now. Later replacements of the file are read when needed.
 */
export async function webhookKeys(
  secretFile: string,
  index: number,
): Promise<() => Promise<readonly Buffer[]>> {
  const keys = async () => readSecrets(await secretOfFile(secretFile));
  await keys().catch((cause: Error) => {
    const key = `messagingData.incidents.webhooks[${index}].secretFile`;
    throw new ConfigError(`${key}: cannot be used: ${systemProblem(cause) ?? cause.message}`, { cause });
  });
  return keys;
}

/** Returns a webhook's projects. @param names project ids or numbers, or `*` for all projects. */
function webhookProjects(
  registry: Pick<Registry, "activeProjects" | "project">,
  names: readonly string[],
): WebhookProjects {
  const covers = ({ id, number }: Project) =>
    names.some((name) => name === "*" || name === id || name === number);
  return {
    all: () => registry.activeProjects.filter(covers),
    find: (number) => {
      const project = registry.project(number);
      return project !== undefined && covers(project) ? project : undefined;
    },
  };
}

/** Counts webhook messages by result. Of several consecutive failures, only the first is logged. */
function observerOf(webhook: string, { metrics, logger, failures }: Parts): WebhookObserver {
  const count = (result: string, value = 1) => metrics.webhookMessages.inc({ webhook, result }, value);
  for (const result of ["delivered", "failed", "given_up"]) count(result, 0);
  return {
    delivered: (messageId, failures) => {
      count("delivered");
      logger.debug({ webhook, messageId }, "webhook message delivered");
      if (failures > 0) logger.info({ webhook, failures }, "webhook recovered");
    },
    failed: (messageId, problem, failures) => {
      count("failed");
      const level = failures === 1 ? "warn" : "debug";
      logger[level]({ webhook, messageId, problem, failures }, "webhook failed; will try again");
    },
    disabled: (messageId) => {
      logger.error(
        { webhook, messageId },
        "webhook responded with HTTP 410 and is disabled until this process restarts",
      );
    },
    gaveUp: (messageId) => {
      count("given_up");
      logger.error({ webhook, messageId }, "webhook message dropped after repeated failures");
    },
    broken: (error) => {
      metrics.storeErrors.inc({ caller: "webhooks" });
      const message = "cannot read or store webhook state; will try again";
      failures.failed({ webhook }, error, message);
    },
  };
}
