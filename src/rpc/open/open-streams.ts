import type { Socket } from "node:net";
import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { Budget, type Release } from "../../limits/budget.js";
import {
  MAX_OPEN_STREAM_MS,
  MAX_OPEN_STREAMS,
  MAX_OPEN_STREAMS_OF_ADDRESS,
  MAX_OPEN_STREAMS_OF_CONNECTION,
} from "../../limits/limits.js";

/** How many streams may be open without a token, and how long each. */
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

/** The part of a socket that tells connections apart. */
export type Peer = Pick<Socket, "remoteAddress" | "remotePort" | "localPort">;

/** The streams that anybody may open without a token, such as those that watch the health of a service. */
export class OpenStreams {
  /** After so long a stream ends, in milliseconds. */
  readonly lifetime: number;
  readonly #ofConnections: Budget;
  readonly #ofAddresses: Budget;

  constructor({ ofConnection, ofAddress, inAll, milliseconds }: OpenStreamLimits = LIMITS) {
    this.lifetime = milliseconds;
    this.#ofConnections = new Budget({ total: inAll, each: ofConnection });
    this.#ofAddresses = new Budget({ total: inAll, each: ofAddress });
  }

  /** Whether one more stream of a connection may be open. */
  hasRoom(peer: Peer): boolean {
    return this.#ofAddresses.hasRoom(addressOf(peer)) && this.#ofConnections.hasRoom(connectionOf(peer));
  }

  /**
   * Counts one more stream.
   *
   * @returns what to call when the stream has ended.
   * @throws ApiError `TOO_MANY_STREAMS` if its connection, its address or all together have as many as they may.
   */
  open(peer: Peer): Release {
    const ofAddress = this.#ofAddresses.take(addressOf(peer));
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

const addressOf = ({ remoteAddress = "" }: Peer): string => remoteAddress;

const connectionOf = ({ remoteAddress = "", remotePort, localPort }: Peer): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

export const tooManyStreams = (): ApiError =>
  new ApiError({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "TOO_MANY_STREAMS",
    message:
      "Too many streams are open without a token. End some of them, or ask by Check in place of Watch.",
    headers: { "retry-after": "60" },
  });

/** A stream has lasted as long as one may (503): its client opens another. */
export const streamTooOld = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STREAM_TOO_OLD",
    message: "The stream was open for as long as one may be. Open another.",
  });
