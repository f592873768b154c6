import type { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";

/** The metadata by which gRPC tells a failure. */
export function grpcStatus(error: ConnectError): Headers {
  const status = setTrailerStatus(new Headers(), error);
  status.set("grpc-message", grpcMessage(error.rawMessage));
  return status;
}

/**
 * A well-formed text as gRPC sends it (PROTOCOL-HTTP2, Percent-Byte-Encoded). Some clients undo no more than must be done,
 * so that what Connect encodes besides, such as a colon, stays encoded with them.
 */
export function grpcMessage(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);
}
