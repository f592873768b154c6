import { readFileSync } from "node:fs";
import { createFileRegistry, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/**
 * Reads the contract with its comments, which the generated code does not have. The build writes it beside that code.
 * This takes some milliseconds and megabytes: it is for those who describe the contract once, not for each request.
 */
export function readContract(): FileRegistry {
  const bytes = readFileSync(new URL("../gen/contract.binpb", import.meta.url));
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}
