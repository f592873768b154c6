import { setFlagsFromString } from "node:v8";
import { Command, Option } from "commander";
import { systemClock } from "../../model/clock.js";
import { type ConfigFlags, loadConfig } from "../../server/config/config.js";
import { SERVICE_NAMES, SERVICES } from "../../server/config/services.js";
import { createLogger } from "../../server/operators/logger.js";
import { startTelemetry } from "../../server/operators/telemetry.js";
import type { RunningServer } from "../../server/start-server.js";
import { exportedSignals } from "../../telemetry/environment.js";
import { traceMembers } from "../../telemetry/tracing.js";
import { failClearly } from "../support/command-failure.js";
import { wholeNumber } from "../support/flag-values.js";

const EXAMPLE = `
Examples:
  $ waybill serve --demo
  $ waybill serve --demo --clock 2026-11-20T12:00:00Z
  $ waybill serve --config waybill.yaml --data-dir /var/lib/waybill
  $ waybill serve --only messaging-data --messaging-data-port 0`;

/** Time after a stop signal until requests in progress are aborted, in milliseconds. */
const GRACE = 10_000;

/**
 * Percentage by which a thread's heap may grow before V8 collects all garbage. By default, V8 also collects it whenever
 * a small heap's buffers have grown by about 8 MiB, which a single import does. On two busy cores, each collection
 * pauses all calls for 3 to 25 ms.
 */
const HEAP_GROWTH = 100;

const parsePort = wholeNumber(0, 65_535);

/** `waybill serve`: runs the services until a stop signal. */
export function serveCommand(): Command {
  const command = new Command("serve")
    .description("Run the services")
    .option("--config <file>", "configuration file (YAML)")
    .option("--data-dir <dir>", "directory for events, delivery data and keys (default: ./data)")
    .option("--host <host>", "address to listen on (default: 127.0.0.1)");
  for (const name of SERVICE_NAMES) {
    const { title, port } = SERVICES[name];
    command.option(
      `--${name}-port <port>`,
      `port of the ${title} service, 0 for any (default: ${port})`,
      parsePort,
    );
  }
  return command
    .option("--admin-port <port>", "port of the admin listener, 0 for any (default: 9090)", parsePort)
    .addOption(new Option("--only <service>", "run only one of the services").choices(SERVICE_NAMES))
    .option("--demo", "add a demo project, with 75 days of traffic if the store is empty")
    .option("--clock [time]", "make the clock adjustable, starting at this time (default: now)")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ config: file, ...flags }: ConfigFlags & { config?: string }) => {
        // Other users of the machine must not read the server's files.
        process.umask(0o077);
        const config = await loadConfig(file, flags);
        const signals = exportedSignals(process.env);
        const logger = createLogger(config.log.level, systemClock, traceMembers);
        process.stdout.on("error", (error) => logger.warn({ err: error }, "cannot write to stdout"));
        // The server is loaded only for this command, because other commands need neither the server nor its database
        // engine.
        const { startServer } = await import("../../server/start-server.js");
        // After the imports, because V8 does not use its compiled form of Node.js's own modules with another flag.
        setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
        const telemetry = await startTelemetry(signals, logger, systemClock);
        const starting = startServer(config, logger, systemClock);
        if (file !== undefined) {
          // If the start fails, the process exits, so that a reload can ignore the failure.
          const reload = () =>
            starting.then(({ reload }) => reload(() => loadConfig(file, flags))).catch(() => {});
          process.on("SIGHUP", reload);
        }
        const server = await starting;
        telemetry?.exportMetrics(server.parts.metrics.registry);
        let closing: Promise<void> | undefined;
        const stop = async (signal: NodeJS.Signals): Promise<void> => {
          logger.info({ signal }, "stopping");
          // SIGINT comes from a terminal. Only SIGTERM waits until load balancers have noticed the stop.
          if (signal === "SIGTERM") await server.drain();
          closing ??= server.close(GRACE).finally(() => telemetry?.close());
          await closing.then(
            () => process.exit(0),
            (error: unknown) => {
              logger.error({ err: error }, "shutdown failed");
              process.exit(1);
            },
          );
        };
        // Further signals must not end the process during the stop. A terminal and a package manager may both send one.
        process.on("SIGTERM", stop);
        process.on("SIGINT", stop);
        const demo = config.demo ? await prepareDemo(server) : undefined;
        process.stdout.write(`${JSON.stringify({ event: "ready", ...server.parts.addresses.listening })}\n`);
        if (demo !== undefined) process.stdout.write(demo);
      }),
    );
}

/** Runs {@link runDemo}. Stops the server if the demo fails, so that the process exits. */
async function prepareDemo(server: RunningServer): Promise<string> {
  const { runDemo } = await import("../../server/demo.js");
  try {
    return await runDemo(server);
  } catch (error) {
    await server.close(0);
    throw error;
  }
}
