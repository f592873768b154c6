import { Command } from "commander";
import { type ConfigFlags, loadConfig } from "../../../server/config/config.js";
import type { Config } from "../../../server/config/config-schema.js";
import { ConfigError } from "../../../server/config/config-values.js";
import { CommandFailure, failClearly } from "../../support/command-failure.js";
import type { Finding } from "./finding.js";

const EXAMPLE = `
Examples:
  $ waybill doctor --config /etc/waybill/waybill.yaml --data-dir /var/lib/waybill
  $ waybill doctor --config waybill.yaml --json`;

interface DoctorFlags {
  readonly config?: string;
  readonly dataDir?: string;
  readonly json?: true;
}

/** `waybill doctor`: checks the configuration and everything that a server needs, and changes nothing. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description(
      "Check the configuration, and all that a server needs: files, disk, clock, databases, addresses",
    )
    .option("--config <file>", "server's configuration file")
    .option("--data-dir <dir>", "server's data directory (default: dataDir of the file, or ./data)")
    .option("--json", "print each finding as a JSON object")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ config: file, dataDir, json }: DoctorFlags) => {
        let failures = 0;
        for await (const finding of findings(file, dataDir === undefined ? {} : { dataDir })) {
          if (finding.state === "failed") failures++;
          process.stdout.write(json ? `${JSON.stringify(finding)}\n` : textOf(finding));
        }
        if (failures > 0)
          throw new CommandFailure(failures === 1 ? "1 check failed" : `${failures} checks failed`);
      }),
    );
}

async function* findings(file: string | undefined, flags: ConfigFlags): AsyncGenerator<Finding> {
  const subject = "configuration";
  const remedy = "correct the file; docs/reference/configuration.md describes each key";
  let config: Config;
  try {
    config = await loadConfig(file, flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield { state: "failed", subject, detail: error.message, remedy };
    return;
  }
  // The server's code is loaded only for this command.
  const { fileProblems } = await import("../../../server/config/config-files.js");
  const problems = await fileProblems(config);
  for (const detail of problems) yield { state: "failed", subject, detail, remedy };
  if (problems.length > 0) return;
  yield { state: "ok", subject, detail: file ?? "no file; all keys have their defaults" };
  const { findingsOf } = await import("./doctor-checks.js");
  yield* findingsOf(config);
}

const MARKS = { ok: "ok     ", warning: "warning", failed: "FAILED " };

const textOf = ({ state, subject, detail, remedy }: Finding): string => {
  const lines = detail.replaceAll("\n", "\n         ");
  return `${MARKS[state]}  ${subject}: ${lines}\n${remedy === undefined ? "" : `         To do: ${remedy}.\n`}`;
};
