import { runCommand } from "./run-command.js";
import { reportOutputErrors } from "./support/print.js";

reportOutputErrors();
const code = await runCommand(process.argv.slice(2));
if (code !== 0) process.exitCode = code;
