import { Command, CommanderError } from "commander";
import { VERSION } from "../server/operators/version.js";
import { backupCommand } from "./backup.js";
import { checkCommand } from "./check.js";
import { configCommand } from "./config.js";
import { copyCommand } from "./copy.js";
import { credentialsCommand } from "./credentials.js";
import { getCommand } from "./get.js";
import { importCommand } from "./import.js";
import { listCommand } from "./list.js";
import { restoreCommand } from "./restore.js";
import { serveCommand } from "./serve.js";
import { simulateCommand } from "./simulate.js";
import { CommandFailure } from "./support/command-failure.js";
import { tokenCommand } from "./token.js";

const program = new Command("waybill")
  .description(
    "Serves app-attestation configurations and message delivery data, computed from raw message events.",
  )
  .version(VERSION)
  .addCommand(serveCommand())
  .addCommand(tokenCommand())
  .addCommand(credentialsCommand())
  .addCommand(importCommand())
  .addCommand(getCommand())
  .addCommand(listCommand())
  .addCommand(configCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(checkCommand())
  .addCommand(copyCommand())
  .addCommand(simulateCommand())
  .showHelpAfterError("(waybill --help lists the commands)");

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if (error instanceof CommandFailure) {
    process.stderr.write(`waybill: ${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
