// Runs fuzz/run.ts on the current sources, like Vitest runs the tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
if (!existsSync("src/transcoding/testing/gen")) {
  spawnSync("node_modules/.bin/buf", ["generate", "--template", "buf.gen.test.yaml"], { stdio: "inherit" });
}
const { module } = await runnerImport("./fuzz/run.ts", { configFile: false, logLevel: "error" });
process.exit(await module.main(process.argv.slice(2)));
