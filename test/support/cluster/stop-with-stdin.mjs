// Runs a program as a user, and ends it without any work of stopping when the standard input ends, as it does when the
// process that started this one has ended: stop-with-stdin.mjs UID GID COMMAND [ARGUMENT…]
import { spawn } from "node:child_process";

const [uid, gid, command, ...args] = process.argv.slice(2);
const user = process.getuid() === 0 ? { uid: Number(uid), gid: Number(gid) } : {};
const child = spawn(command, args, { ...user, cwd: "/", stdio: ["ignore", "inherit", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 1));
// PostgreSQL passes this signal on to its own processes.
process.stdin.on("close", () => child.kill("SIGQUIT"));
process.stdin.resume();
