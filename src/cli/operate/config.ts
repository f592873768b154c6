import { Command } from "commander";
import { type ConfigChange, readConfigChanges } from "../../integrity/app-attest-configs.js";
import { configName } from "../../integrity/config-resource.js";
import { DEFAULT_TOKEN_TTL_SECONDS } from "../../model/token-ttl.js";
import type { Config } from "../../server/config/config-schema.js";
import { DEMO_CONFIG } from "../../server/config/demo-config.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { print } from "../support/print.js";
import { type Column, TextTable } from "../support/text-table.js";
import { type ControlFlags, controlConfigOf, withControl } from "../support/with-control.js";
import { configCheckCommand } from "./config-check.js";

const EXAMPLE = `
Examples:
  $ waybill config history --data-dir ./data
  $ waybill config history --config waybill.yaml --project demo-project --json`;

interface HistoryFlags extends ControlFlags {
  readonly project?: string;
  readonly app?: string;
  readonly json?: true;
}

/** `waybill config`: checks the config file, and shows changes to App Attest configurations. */
export function configCommand(): Command {
  return new Command("config")
    .description("Check a configuration file, or show the history of app-attestation configurations")
    .addCommand(configCheckCommand())
    .addCommand(historyCommand());
}

/** `waybill config history`: prints each configuration change with its principal and time. */
function historyCommand(): Command {
  return new Command("history")
    .description("Print all changes to app-attestation configurations, newest last")
    .option("--data-dir <dir>", "data directory; its server may be running (default: ./data)")
    .option("--config <file>", "server's configuration file, for the history's location and project ids")
    .option("--project <project>", "print only changes in this project, by number or id")
    .option("--app <app>", "print only changes of apps with this id")
    .option("--json", "print each change as a JSON object")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ project, app, json, ...flags }: HistoryFlags) => {
        const config = await controlConfigOf(flags);
        const number = project === undefined ? undefined : projectNumber(project, config);
        const all = await withControl(config, (control) => readConfigChanges(control.records));
        const changes = all.filter(
          (change) =>
            (number === undefined || change.project === number) &&
            (app === undefined || change.appId === app),
        );
        if (json) await print(changes.map(jsonLine));
        else if (changes.length === 0) await print(["No app-attestation configuration has been changed.\n"]);
        else await print(tableOf(changes));
      }),
    );
}

/** Returns a project's number, because the history does not contain project ids. */
function projectNumber(name: string, config: Config): string {
  if (/^\d+$/.test(name)) return name;
  const project = [...config.projects, ...DEMO_CONFIG.projects].find(({ id }) => id === name);
  if (project !== undefined) return project.number;
  throw new CommandFailure(
    `--project: the configuration has no project ${name}; use the project number, or set --config to the file with this project`,
  );
}

/** Formats a change as a line of JSON. A null value stands for the default. */
function jsonLine(change: ConfigChange): string {
  const { time, principal, revision, updateMask, tokenTtl, previousTokenTtl } = change;
  const name = nameOf(change);
  return `${JSON.stringify({ time, principal, name, revision, updateMask, tokenTtl, previousTokenTtl })}\n`;
}

const COLUMNS: readonly Column<ConfigChange>[] = [
  { title: "time", leastWidth: 24, text: ({ time }) => time },
  { title: "principal", leastWidth: 12, text: ({ principal }) => principal },
  { title: "configuration", leastWidth: 16, text: nameOf },
  {
    title: "change",
    leastWidth: 16,
    text: ({ tokenTtl, previousTokenTtl }) => `tokenTtl ${shown(previousTokenTtl)} → ${shown(tokenTtl)}`,
  },
];

const shown = (ttl: string | null): string => ttl ?? `${DEFAULT_TOKEN_TTL_SECONDS}s (default)`;

function* tableOf(changes: readonly ConfigChange[]): Generator<string> {
  const table = new TextTable(COLUMNS, changes);
  yield table.head();
  for (const change of changes) yield table.line(change);
}

function nameOf({ project, appId }: ConfigChange): string {
  return configName(project, appId);
}
