// Generates from the contract its TypeScript, for the server and for the client, and descriptors with the comments that the
// TypeScript lacks. Also generates TypeScript for the contract that only tests use, and WebAssembly. `--if-missing` generates
// only if something is missing.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileAssembly } from "./compile-assembly.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const GENERATED = ["src/gen/event-scanner.wasm", "packages/client/src/gen", "src/transcoding/testing/gen"];
const buf = (...args) => execFileSync(`${root}node_modules/.bin/buf`, args, { cwd: root, stdio: "inherit" });

const isGenerated = GENERATED.every((path) => existsSync(`${root}${path}`));
if (!(isGenerated && process.argv.includes("--if-missing"))) await generate();

async function generate() {
  buf("generate");
  buf("generate", "--template", "buf.gen.test.yaml");
  buf(
    "build",
    ...["--path", "proto/waybill"],
    // Messages in the details of errors.
    ...["--path", "node_modules/google-proto-files/google/rpc/error_details.proto"],
    "--as-file-descriptor-set",
    ...["--output", "src/gen/contract.binpb"],
  );
  await compileAssembly(`${root}src`);
}
