import type { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";

/** The metadata that carries an error in gRPC. */
export function grpcStatus(error: ConnectError): Headers {
  const status = setTrailerStatus(new Headers(), error);
  status.set("grpc-message", grpcMessage(error.rawMessage));
  return status;
}

/**
 * Encodes a well-formed text for gRPC (PROTOCOL-HTTP2, Percent-Byte-Encoded). It encodes only the bytes that
 * it must: some clients decode no others, and would show the rest of what Connect encodes, such as a colon,
 * in its encoded form.
 */
export function grpcMessage(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);
}
