import type { Socket } from "node:net";
import { remoteNetwork } from "../../http/peer.js";
import { Budget, type BudgetLimits, type Release } from "../../limits/budget.js";
import {
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_ADDRESS,
  MAX_HANDSHAKES,
  MAX_HANDSHAKES_OF_ADDRESS,
} from "../../limits/request-limits.js";

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
 * Limits a process's connections in one state, in total and per remote network. When the limit is reached, a new
 * connection displaces the connection that has been idle longest. A displaced client can reconnect when it needs to,
 * while a rejected client would get no service.
 */
export class ConnectionBounds {
  readonly #limits: ConnectionLimits;
  readonly #budget: Budget;
  readonly #admitted = new Map<Socket, Admitted>();
  /** Connections without a request in progress. The connection that has been idle longest comes first. */
  readonly #idle = new Set<Socket>();
  readonly #onClosed: () => void;

  /** @param onClosed called for each connection that the limit closes. */
  constructor(limits: ConnectionLimits, onClosed: () => void) {
    this.#onClosed = onClosed;
    this.#limits = limits;
    this.#budget = new Budget(limits);
  }

  /**
   * Counts a new connection as idle. Closes the connection if the limit is reached and no idle connection can be
   * displaced.
   */
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

  /** Marks a connection as having a request in progress. */
  busy(socket: Socket): void {
    this.#idle.delete(socket);
  }

  idle(socket: Socket): void {
    if (this.#admitted.has(socket)) this.#idle.add(socket);
  }

  /** Stops counting a connection. */
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
