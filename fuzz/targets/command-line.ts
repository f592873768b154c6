import { ok } from "node:assert/strict";
import { type Command, CommanderError } from "commander";
import { ApiError } from "../../src/api/api-error.js";
import { attestCommand } from "../../src/cli/attest/attest.js";
import { gapsCommand } from "../../src/cli/gaps.js";
import { getCommand } from "../../src/cli/get.js";
import { importCommand } from "../../src/cli/import/import.js";
import { incidentFilterOf, incidentsCommand } from "../../src/cli/incidents.js";
import { type FilterFlags, filterOf } from "../../src/cli/list/filter.js";
import { listCommand } from "../../src/cli/list/list.js";
import { mcpCommand } from "../../src/cli/mcp/mcp.js";
import { configCommand } from "../../src/cli/operate/config.js";
import { credentialsCommand } from "../../src/cli/operate/credentials.js";
import { keysCommand } from "../../src/cli/operate/keys.js";
import { serveCommand } from "../../src/cli/operate/serve.js";
import { simulateCommand } from "../../src/cli/simulate.js";
import { tokenCommand } from "../../src/cli/token.js";
import { INCIDENT_FILTERS } from "../../src/incidents/list/incident-filters.js";
import { ENTRY_FILTERS } from "../../src/messaging-data/delivery-data/filter/entry-filters.js";
import {
  type FilterLanguage,
  readFilter,
} from "../../src/messaging-data/delivery-data/filter/read-filter.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { outcomeOf } from "../oracles/rejection.js";

const COMMANDS: Readonly<Record<string, () => Command>> = {
  ...{
    list: listCommand,
    incidents: incidentsCommand,
    gaps: gapsCommand,
    simulate: simulateCommand,
    token: tokenCommand,
    serve: serveCommand,
    get: getCommand,
  },
  ...{
    import: importCommand,
    credentials: credentialsCommand,
    config: configCommand,
    keys: keysCommand,
    mcp: mcpCommand,
    attest: attestCommand,
  },
};

/**
 * Arguments are accepted, or rejected with a message. Each line of an input is an argument; the first is the
 * command.
 */
export const commandLine: FuzzTarget = {
  name: "command-line",
  boundedInputs: 1_000,
  seeds: [
    "list\n--project\np\n--app\n-\n--from\n2026-03-01\n--to=2026-03-31\n--label\nspring\n--label\n\n--page-size\n10",
    "list\n--project\np\n--app\na\n--filter\ndate > 2026-01-01\n--format\ncsv\n--server\nhttp://127.0.0.1:1",
    "simulate\n--messages\n10\n--days\n3\n--start\n2025-03-03\n--seed\n9007199254740991\n--out\n-",
    "token\n--principal\np\n--scope\nplatform\n--scope\napp-platform\n--ttl\n1h30m",
    "credentials\ncreate\n--principal\np\n--out\nf\n--ttl\n0.5d\n--token-url\nx",
    "serve\n--integrity-port\n0\n--admin-port\n65535\n--only\nintegrity\n--demo\n--host\n::1",
    "import\n--project\np\n-\nfile.gz",
    "get\n--project\np\n--app\na",
    "config\nhistory\n--json",
    "credentials\ncreate-key\n--principal\np\n--project\np\n--out\nf\n--ttl\n7d",
    "keys\nlist\n--json",
    "keys\nrevoke\nkid\n--data-dir\nd",
    "incidents\n--project\np\n--app\n-\n--ongoing\n--from\n2026-03-01\n--label\nspring\n--filter\nwholeApp = true",
    "list\n--project\np\n--app\na\n--as-of\n2026-11-14T08:00:00Z",
    "gaps\n--project\np\n--app\n-\n--format\nndjson",
    "mcp\n--project\np\n--server\nhttp://127.0.0.1:1\n--token-file\nf",
    "attest\nverify\n--app-id\nT.a\n--attestation\nf\n--challenge\nAA==\n--key-id\n-_8\n--at\n2026-11-14T08:00:00Z\n--environment\ndevelopment",
    "attest\nverify\n--app-id\nT.a\n--assertion\nf\n--public-key\nf\n--client-data\nf\n--counter\n7",
    "list\n--help",
    "nothing\n-x\n--",
  ],
  words: [
    ...["\n--project\n", "\n--app\n", "\n--from\n", "\n--to\n", "\n--label\n", "\n--filter\n"],
    ...["\n--page-size\n", "\n--as-of\n", "\n--format\n"],
    ...["\n--ttl\n", "\n--scope\n", "\n--principal\n", "\n--messages\n", "\n--days\n", "\n--start\n"],
    ...["\n--labels\n", "\n--seed\n"],
    ...["\n--integrity-port\n", "\n--only\n", "\n--demo", "\n--", "\n-", "=", "\n", "1h", "ms", "1e3"],
    ...["0x1", "2026-02-29", '"', "*"],
    ...["integrity", "platform", "csv", "\u00a0", "\u001b[31m", "\u0661", "٣d"],
  ],
  async run(input) {
    const [name = "", ...args] = input.toString().split("\n");
    const command = (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : listCommand)?.() ?? listCommand();
    const written: string[] = [];
    prepare(command, written);
    try {
      await command.parseAsync(args, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      ok(error.exitCode === 0 || written.join("").trim() !== "", "rejected without a message");
      return;
    } finally {
      ok(!/\n\s+at |\[object /.test(written.join("")), "an unclear rejection");
    }
    const flags = command.opts<FilterFlags>();
    if (command.name() === "list") checkFilter(flags, filterOf(flags), ENTRY_FILTERS);
    if (command.name() === "incidents") checkFilter(flags, incidentFilterOf(flags), INCIDENT_FILTERS);
  },
};

/** Disables the command's action and captures its output. */
function prepare(command: Command, written: string[]): void {
  const write = (text: string): void => void written.push(text);
  command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
  if (command.commands.length === 0) command.action(() => {});
  for (const below of command.commands) prepare(below, written);
}

/** The API accepts 50 comparisons, and up to four of them select days and ongoing incidents. */
const MAX_LABELS = 46;

/** A command's combined flags form a valid filter, unless the filter option is invalid, or the filter is too long. */
function checkFilter<C>(flags: FilterFlags, text: string | undefined, language: FilterLanguage<C>): void {
  if (text === undefined) return;
  const read = outcomeOf(() => readFilter(text, language));
  const isTooLong = text.length > 4_000 || (flags.label?.length ?? 0) > MAX_LABELS;
  ok(!(read instanceof ApiError) || (flags.filter ?? "") !== "" || isTooLong, `not a filter: ${text}`);
}
