import { MAX_LOG_AT_EXIT_MS } from "../limits/request-limits.js";
import { runCommand } from "./run-command.js";
import { reportOutputErrors } from "./support/print.js";

const args = process.argv.slice(2);
reportOutputErrors();
const code = await runCommand(args);
if (code !== 0) process.exitCode = code;
// If the server cannot start, the process must end even if nothing reads its error output.
if (code !== 0 && args[0] === "serve") setTimeout(() => process.exit(), MAX_LOG_AT_EXIT_MS).unref();
