import type { Socket } from "node:net";
import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { remoteNetwork } from "../../http/peer.js";
import { Budget, type Release } from "../../limits/budget.js";
import {
  MAX_OPEN_STREAM_MS,
  MAX_OPEN_STREAMS,
  MAX_OPEN_STREAMS_OF_ADDRESS,
  MAX_OPEN_STREAMS_OF_CONNECTION,
} from "../../limits/request-limits.js";

/** Limits on streams of clients without a token: their number and duration. */
export interface OpenStreamLimits {
  readonly ofConnection: number;
  readonly ofAddress: number;
  readonly inAll: number;
  readonly milliseconds: number;
}

const LIMITS: OpenStreamLimits = {
  ofConnection: MAX_OPEN_STREAMS_OF_CONNECTION,
  ofAddress: MAX_OPEN_STREAMS_OF_ADDRESS,
  inAll: MAX_OPEN_STREAMS,
  milliseconds: MAX_OPEN_STREAM_MS,
};

/** Socket properties that identify a connection. */
export type Peer = Pick<Socket, "remoteAddress" | "remotePort" | "localPort">;

/** Counts open streams without a token, such as health watches. */
export class OpenStreams {
  /** Maximum duration of a stream, in milliseconds. */
  readonly lifetime: number;
  readonly #ofConnections: Budget;
  readonly #ofAddresses: Budget;

  constructor({ ofConnection, ofAddress, inAll, milliseconds }: OpenStreamLimits = LIMITS) {
    this.lifetime = milliseconds;
    this.#ofConnections = new Budget({ total: inAll, each: ofConnection });
    this.#ofAddresses = new Budget({ total: inAll, each: ofAddress });
  }

  /** Returns true if a connection may open another stream. */
  hasRoom(peer: Peer): boolean {
    return this.#ofAddresses.hasRoom(remoteNetwork(peer)) && this.#ofConnections.hasRoom(connectionOf(peer));
  }

  /**
   * Counts another stream.
   *
   * @returns a function to call when the stream has ended.
   * @throws ApiError `TOO_MANY_STREAMS` if the connection, the address or the process has reached its limit.
   */
  open(peer: Peer): Release {
    const ofAddress = this.#ofAddresses.take(remoteNetwork(peer));
    const ofConnection = ofAddress && this.#ofConnections.take(connectionOf(peer));
    if (ofConnection === undefined) {
      ofAddress?.();
      throw tooManyStreams();
    }
    return () => {
      ofAddress?.();
      ofConnection();
    };
  }
}

const connectionOf = ({ remoteAddress = "", remotePort, localPort }: Peer): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

export const tooManyStreams = (): ApiError =>
  new ApiError({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "TOO_MANY_STREAMS",
    message: "Too many streams without a token are open. Close some, or use Check instead of Watch.",
    headers: { "retry-after": "60" },
  });

/** A stream has reached its maximum duration (503). The client should open a new stream. */
export const streamExpired = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STREAM_EXPIRED",
    message: "The stream has reached its maximum duration. Open another.",
  });
