import type { Socket } from "node:net";
import { Budget, type BudgetLimits, type Release } from "../../limits/budget.js";
import {
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_ADDRESS,
  MAX_HANDSHAKES,
  MAX_HANDSHAKES_OF_ADDRESS,
} from "../../limits/limits.js";
import { remoteNetwork } from "./remote-network.js";

type ConnectionLimits = Required<BudgetLimits>;

export const OPEN_CONNECTIONS: ConnectionLimits = {
  total: MAX_CONNECTIONS,
  each: MAX_CONNECTIONS_OF_ADDRESS,
};
export const HANDSHAKES: ConnectionLimits = { total: MAX_HANDSHAKES, each: MAX_HANDSHAKES_OF_ADDRESS };

interface Admitted {
  readonly network: string;
  readonly release: Release;
}

/**
 * Bounds the connections of a process that are in some state, in total and from one remote address. When there is no room for another, the
 * one on which nothing has been asked for longest gives way: its client opens a new one when it needs it, whereas a
 * newcomer that is turned away is not served at all.
 */
export class ConnectionBounds {
  readonly #limits: ConnectionLimits;
  readonly #budget: Budget;
  readonly #admitted = new Map<Socket, Admitted>();
  /** Those on which nothing is under way, the one that has been so for longest first. */
  readonly #idle = new Set<Socket>();
  readonly #onClosed: () => void;

  /** @param onClosed hears of each connection that is closed for want of room. */
  constructor(limits: ConnectionLimits, onClosed: () => void) {
    this.#onClosed = onClosed;
    this.#limits = limits;
    this.#budget = new Budget(limits);
  }

  /** Counts a new connection, which is idle. Closes it if all others are busy. */
  admit(socket: Socket): void {
    const network = remoteNetwork(socket);
    const release = this.#budget.take(network) ?? this.#takeFromIdle(network);
    if (release === undefined) {
      this.#close(socket);
      return;
    }
    this.#admitted.set(socket, { network, release });
    this.#idle.add(socket);
    socket.once("close", () => this.leave(socket));
  }

  /** Notes that something is under way on a connection. */
  busy(socket: Socket): void {
    this.#idle.delete(socket);
  }

  /** Notes that nothing is under way on a connection any more. */
  idle(socket: Socket): void {
    if (this.#admitted.has(socket)) this.#idle.add(socket);
  }

  /** Notes that a connection is not in that state any more. */
  leave(socket: Socket): void {
    this.#admitted.get(socket)?.release();
    this.#admitted.delete(socket);
    this.#idle.delete(socket);
  }

  #takeFromIdle(network: string): Release | undefined {
    const ownOnly = this.#budget.heldBy(network) >= this.#limits.each;
    for (const socket of this.#idle) {
      if (ownOnly && this.#admitted.get(socket)?.network !== network) continue;
      this.leave(socket);
      this.#close(socket);
      return this.#budget.take(network);
    }
    return undefined;
  }

  #close(socket: Socket): void {
    socket.destroy();
    this.#onClosed();
  }
}
