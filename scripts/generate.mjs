// Generates from the contract its TypeScript, and descriptors with the comments that the TypeScript lacks.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const buf = (...args) => execFileSync(`${root}node_modules/.bin/buf`, args, { cwd: root, stdio: "inherit" });

buf("generate");
buf(
  "build",
  ...["--path", "proto/waybill"],
  // Messages in the details of errors.
  ...["--path", "node_modules/google-proto-files/google/rpc/error_details.proto"],
  "--as-file-descriptor-set",
  ...["--output", "src/gen/contract.binpb"],
);
