import { Code, ConnectError } from "@connectrpc/connect";
import { endStreamFromJson, errorFromJson } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { enveloped } from "../../../src/api/encoded-response.js";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.js";
import type { StreamResponse } from "./http2.js";

/** Wraps a message of a stream in an envelope with flags and length. */
export function envelope(message: Uint8Array, flags = 0): Buffer {
  const frame = enveloped(message);
  frame.writeUInt8(flags);
  return frame;
}

export interface CallFailure {
  /** Code by its Connect name. */
  readonly code: string;
  readonly reason: string;
}

/**
 * Reads a call's failure according to the media type. @throws Error if the call succeeded or the response
 * has no reason.
 */
export function callFailureOf({ headers, trailers, bytes }: StreamResponse): CallFailure {
  const type = String(headers["content-type"]);
  if (type === "application/json; charset=utf-8") {
    const { error } = JSON.parse(bytes.toString());
    return { code: error.status.toLowerCase(), reason: error.details[0].reason };
  }
  const error = type.startsWith("application/grpc")
    ? grpcError(type, new Headers({ ...headers, ...trailers } as Record<string, string>), bytes)
    : connectErrorOf(type, bytes);
  const [info] = error?.findDetails(ErrorInfoSchema) ?? [];
  if (error === undefined || info === undefined) throw new Error(`the ${type} has no reason: ${bytes}`);
  return { code: Code[error.code].replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase(), reason: info.reason };
}

function grpcError(type: string, metadata: Headers, bytes: Buffer): ConnectError | undefined {
  const inBody = type.startsWith("application/grpc-web") && bytes.length > 0;
  return findTrailerError(inBody ? trailerParse(bytes.subarray(5)) : metadata);
}

function connectErrorOf(type: string, bytes: Buffer): ConnectError | undefined {
  if (type.startsWith("application/connect+")) return endStreamFromJson(bytes.subarray(5)).error;
  return errorFromJson(JSON.parse(bytes.toString()), undefined, new ConnectError("none"));
}
