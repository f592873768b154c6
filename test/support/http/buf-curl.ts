import { fileURLToPath } from "node:url";
import { fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { BadRequestSchema, ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.js";
import { packagePath } from "../package-path.js";
import { run } from "../servers/run.js";

/** Path of the binary. The package's command would start it in another process. */
const BUF = packagePath(
  `node_modules/@bufbuild/buf-linux-${process.arch === "arm64" ? "aarch64" : process.arch}/bin/buf`,
);

/** The contract; `buf.yaml` locates its imports. */
export const CONTRACT = fileURLToPath(new URL("../../../proto", import.meta.url));

/** The standard health service's contract. */
export const HEALTH_CONTRACT = fileURLToPath(
  new URL("../../../node_modules/grpc-health-check/proto", import.meta.url),
);

/** Outcome of a call with `buf curl`. */
export interface BufOutcome {
  /** 0, or eight times the gRPC status code. */
  readonly exitCode: number | null;
  /** Printed response of a successful call. */
  readonly response?: unknown;
  /** Printed error of a failed call, with decoded details. */
  readonly error?: BufError;
  /** From `--verbose`, about the last request. */
  readonly httpVersion?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface BufError {
  /** Name of a code, such as `not_found`. */
  readonly code: string;
  readonly message: string;
  readonly reason: string | undefined;
  readonly domain: string | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  /** Fields with errors. */
  readonly fields: readonly string[];
}

interface PrintedError {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly PrintedDetail[];
}

interface PrintedDetail {
  readonly type: string;
  /** Base64. */
  readonly value: string;
}

/** Calls a method with one or, for streams, several request messages. */
export async function bufCurl(
  flags: readonly string[],
  url: string,
  requests: readonly object[] = [{}],
): Promise<BufOutcome> {
  const input = requests.map((request) => JSON.stringify(request)).join("\n");
  const { code, stdout, stderr } = await run(BUF, ["curl", ...flags, "--data", "@-", url], input);
  const verbose = flags.includes("--verbose") && {
    httpVersion: lastOf(stderr, /^buf: < \(#\d+\) (HTTP\/[\d.]+)/gm),
    requestId: lastOf(stderr, /^buf: < \(#\d+\) X-Request-Id: (.+)$/gm),
  };
  if (code === 0) return { exitCode: 0, response: JSON.parse(stdout), ...verbose };
  // Errors about the command line are not JSON.
  if (!stderr.startsWith("{")) throw new Error(stderr);
  const { details = [], ...error } = JSON.parse(stderr) as PrintedError;
  return { exitCode: code, error: { ...error, ...decoded(details) } };
}

/** The names printed by `--list-services` or `--list-methods`. */
export async function bufList(...args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await run(BUF, ["curl", ...args]);
  if (stderr !== "") throw new Error(stderr);
  return stdout.trim().split("\n");
}

function decoded(details: readonly PrintedDetail[]): Omit<BufError, "code" | "message"> {
  const bytesOf = (type: string): Uint8Array[] =>
    details.filter((detail) => detail.type === type).map(({ value }) => base64Decode(value));
  const [info] = bytesOf("google.rpc.ErrorInfo").map((bytes) => fromBinary(ErrorInfoSchema, bytes));
  const violations = bytesOf("google.rpc.BadRequest").flatMap(
    (bytes) => fromBinary(BadRequestSchema, bytes).fieldViolations,
  );
  const fields = violations.map(({ field }) => field);
  return { reason: info?.reason, domain: info?.domain, metadata: info?.metadata, fields };
}

function lastOf(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1];
}
