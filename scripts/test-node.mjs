// Runs the unit specs, and the demo's spec, on each supported version of Node.js. npm's package `node` brings them.
// Arguments choose versions: test-node.mjs 24
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeIn } from "../test/support/cluster/chdb-package.mjs";

const VERSIONS = ["20", "22", "24", "26"];
const RUNS = [
  ["--project", "units", "--maxWorkers", "2"],
  ["--project", "servers", "test/cli/demo.spec.ts"],
];

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a program with all its output shown. @returns true if it succeeds. */
const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: "inherit" }).status === 0;

if (!run(process.execPath, ["scripts/build.mjs"])) process.exit(1);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : VERSIONS;
if (!run(process.execPath, ["scripts/install-node.mjs", ...chosen])) process.exit(1);
const results = chosen.map((version) => {
  const node = nodeIn(version);
  console.log(`\n== Node.js ${spawnSync(node, ["--version"]).stdout}`);
  const isGreen = RUNS.every((args) => run(node, ["node_modules/vitest/vitest.mjs", "run", ...args]));
  return [version, isGreen];
});
console.log("");
for (const [version, isGreen] of results) console.log(`Node.js ${version}: ${isGreen ? "green" : "failed"}`);
process.exit(results.every(([, isGreen]) => isGreen) ? 0 : 1);
