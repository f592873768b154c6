import type { Logger } from "pino";
import type { Clock } from "../../model/clock.js";
import type { ExportedSignals } from "../../telemetry/environment.js";
import type { Telemetry } from "../../telemetry/open-telemetry.js";
import { FailureLog } from "./failure-log.js";
import { droppedSpans } from "./metrics.js";
import { VERSION } from "./version.js";

/**
 * Starts the export over OTLP, and logs its problems. Its packages are loaded only if there is a signal to export.
 *
 * @returns `undefined` if there is none.
 */
export async function startTelemetry(
  signals: ExportedSignals,
  logger: Logger,
  clock: Clock,
): Promise<Telemetry | undefined> {
  for (const problem of signals.problems) logger.warn(problem, "an environment variable is not supported");
  if (!signals.traces && !signals.metrics) return undefined;
  const { openTelemetry } = await import("../../telemetry/open-telemetry.js");
  const failures = new FailureLog(logger);
  return openTelemetry({
    signals,
    version: VERSION,
    now: () => clock.wall(),
    onDropped: (spans, reason) => droppedSpans.inc({ reason }, spans),
    onProblem: (problem) => failures.failed({ problem }, undefined, "cannot export telemetry"),
  });
}
