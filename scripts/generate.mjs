// Generates from the contract its TypeScript, for the server and for the client, and descriptors with the comments that the
// TypeScript lacks. Also generates TypeScript for the contract that only tests use. `--if-missing` generates only if a folder
// is missing.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["src/gen", "packages/client/src/gen", "src/transcoding/testing/gen"];
const buf = (...args) => execFileSync(`${root}node_modules/.bin/buf`, args, { cwd: root, stdio: "inherit" });

const isGenerated = FOLDERS.every((folder) => existsSync(`${root}${folder}`));
if (!(isGenerated && process.argv.includes("--if-missing"))) generate();

function generate() {
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
}
