import { Command, CommanderError } from "commander";
import { VERSION } from "../server/operators/version.js";
import { CommandFailure } from "./support/command-failure.js";

/** All commands, in help order. A command is loaded when it is needed. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./operate/serve.js")).serveCommand(),
  token: async () => (await import("./token.js")).tokenCommand(),
  credentials: async () => (await import("./operate/credentials.js")).credentialsCommand(),
  keys: async () => (await import("./operate/keys.js")).keysCommand(),
  import: async () => (await import("./import/import.js")).importCommand(),
  consume: async () => (await import("./consume/consume.js")).consumeCommand(),
  get: async () => (await import("./get.js")).getCommand(),
  list: async () => (await import("./list/list.js")).listCommand(),
  export: async () => (await import("./export.js")).exportCommand(),
  incidents: async () => (await import("./incidents.js")).incidentsCommand(),
  annotations: async () => (await import("./annotations.js")).annotationsCommand(),
  targets: async () => (await import("./targets.js")).targetsCommand(),
  views: async () => (await import("./views.js")).viewsCommand(),
  report: async () => (await import("./report.js")).reportCommand(),
  gaps: async () => (await import("./gaps.js")).gapsCommand(),
  attest: async () => (await import("./attest/attest.js")).attestCommand(),
  mcp: async () => (await import("./mcp/mcp.js")).mcpCommand(),
  projects: async () => (await import("./projects.js")).projectsCommand(),
  apps: async () => (await import("./apps/apps.js")).appsCommand(),
  access: async () => (await import("./access/access.js")).accessCommand(),
  audit: async () => (await import("./audit.js")).auditCommand(),
  config: async () => (await import("./operate/config.js")).configCommand(),
  backup: async () => (await import("./operate/backup.js")).backupCommand(),
  restore: async () => (await import("./operate/restore.js")).restoreCommand(),
  doctor: async () => (await import("./operate/doctor/doctor.js")).doctorCommand(),
  check: async () => (await import("./operate/check.js")).checkCommand(),
  copy: async () => (await import("./operate/copy.js")).copyCommand(),
  clock: async () => (await import("./operate/clock.js")).clockCommand(),
  mirror: async () => (await import("./operate/mirror.js")).mirrorCommand(),
  simulate: async () => (await import("./simulate.js")).simulateCommand(),
};

const VERSION_FLAGS = ["-V", "--version"];

/**
 * Runs the command line of `waybill`.
 *
 * @returns the exit code of the process.
 * @throws unexpected errors.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = programOf(await neededCommands(args));
  throwInsteadOfExit(program);
  try {
    await program.parseAsync(withoutVainHelp(args), { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CommandFailure)) throw error;
    // Some messages of OpenSSL, which a problem may quote, end with a line break.
    process.stderr.write(`waybill: ${error.message.trimEnd()}\n`);
    return 1;
  }
}

export const allCommands = async (): Promise<Command> => programOf(await neededCommands([]));

function programOf(commands: readonly Command[]): Command {
  const program = new Command("waybill")
    .description("Delivery analytics for push messages, and app attestation.")
    .version(VERSION, VERSION_FLAGS.join(", "))
    .showHelpAfterError("(waybill --help lists all commands)");
  for (const command of commands) program.addCommand(command);
  return program;
}

/**
 * Returns the command with the first argument's name. Without such a command, returns all commands, for help and
 * suggestions.
 */
async function neededCommands([name = ""]: readonly string[]): Promise<readonly Command[]> {
  if (VERSION_FLAGS.includes(name)) return [];
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return Promise.all((named === undefined ? Object.values(COMMANDS) : [named]).map((load) => load()));
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const below of command.commands) throwInsteadOfExit(below);
}

/**
 * Converts `help NAME` to `NAME` if no command has this name, because the parser reports unknown commands only in this
 * form.
 */
function withoutVainHelp(args: readonly string[]): readonly string[] {
  const [first, name] = args;
  return first === "help" && name !== undefined && !Object.hasOwn(COMMANDS, name) ? args.slice(1) : args;
}
