// Generates code from the contract, compiles the sources, copies the files that they read at run time, and
// bundles the command and the web console.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "./generate.mjs";
import { markBuilt } from "./build-stamp.mjs";
import { bundleCommand } from "./bundle.mjs";
import { compressFiles } from "./compress-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, ...args) =>
  execFileSync(`${root}node_modules/.bin/${command}`, args, { cwd: root, stdio: "inherit" });

for (const dist of ["packages/client/dist", "dist"])
  rmSync(`${root}${dist}`, { recursive: true, force: true });
run("tsc", "-p", "packages/client");
run("tsc", "-p", "tsconfig.build.json");
cpSync(`${root}src`, `${root}dist`, {
  recursive: true,
  filter: (path) => !/\.[^./]+$/.test(path) || /\.(sql|binpb|wasm)$/.test(path),
});
await bundleCommand(`${root}dist`);
run("vite", "build", "console", "--logLevel", "error");
await compressFiles(`${root}dist/console`);
markBuilt("dist");
