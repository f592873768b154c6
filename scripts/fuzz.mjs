// Runs fuzz/run.ts on the current sources, like Vitest runs the tests.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { module } = await runnerImport("./fuzz/run.ts", { configFile: false, logLevel: "error" });
process.exit(await module.main(process.argv.slice(2)));
