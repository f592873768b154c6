import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_HEAD_AT_STOP_MS } from "../../limits/limits.js";
import type { ConnectionBounds } from "./connection-bounds.js";

/** Bounds that the connections of several servers share. What is left out is not bounded. */
export interface PortBounds {
  readonly open?: ConnectionBounds;
  /** Of servers with TLS. */
  readonly handshakes?: ConnectionBounds;
}

/** What is known of a connection. */
interface Connection {
  /** That of the system, below TLS. */
  readonly socket: Socket;
  /** Requests that have not been answered. */
  underWay: number;
  /** Whether any request has come. */
  isUsed: boolean;
  /** Whether something else ends it in good order. */
  endsByItself: boolean;
}

/** The connections of a server, so that they are counted, and so that it can stop although some of them would stay. */
export class Connections {
  readonly #bounds: ConnectionBounds | undefined;
  readonly #handshakes: ConnectionBounds | undefined;
  readonly #all = new Set<Connection>();
  /** By the sockets that requests come by. */
  readonly #served = new WeakMap<Socket, Connection>();

  /**
   * @param event `secureConnection` for a server with TLS.
   */
  constructor(
    server: Server,
    event: "connection" | "secureConnection" = "connection",
    { open, handshakes }: PortBounds = {},
  ) {
    this.#bounds = open;
    this.#handshakes = event === "secureConnection" ? handshakes : undefined;
    /** Connections by their other end, which a socket with TLS has in common with the one below it. */
    const byPeer = new Map<string, Connection>();
    server.on("connection", (socket: Socket) => {
      const connection = this.#add(socket);
      const peer = peerOf(socket);
      byPeer.set(peer, connection);
      socket.once("close", () => {
        if (byPeer.get(peer) === connection) byPeer.delete(peer);
      });
    });
    server.on(event, (socket: Socket) => {
      const connection = byPeer.get(peerOf(socket));
      if (connection === undefined) return;
      this.#served.set(socket, connection);
      this.#handshakes?.leave(connection.socket);
    });
    server.on("request", ({ socket }, response: ServerResponse) => {
      this.began(socket);
      response.once("close", () => this.ended(socket));
    });
  }

  /** Notes that a request has come on a connection. */
  began(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection === undefined) return;
    connection.underWay++;
    connection.isUsed = true;
    this.#bounds?.busy(connection.socket);
  }

  /** Notes that a request has been answered. */
  ended(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection === undefined) return;
    connection.underWay--;
    if (connection.underWay === 0) this.#bounds?.idle(connection.socket);
  }

  /** Leaves it to somebody else to end a connection in good order. */
  leave(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection !== undefined) connection.endsByItself = true;
  }

  /**
   * Closes those on which nothing is under way, also where a handshake has begun. To be called after the server was closed,
   * which leaves used ones alone where the head of another request has begun: that gets a little time to come, so that it is
   * turned away in good order.
   */
  closeIdle(): void {
    for (const connection of this.#all) {
      const { underWay, isUsed, endsByItself } = connection;
      if (underWay > 0 || endsByItself) continue;
      if (isUsed) setTimeout(() => closeIfIdle(connection), MAX_HEAD_AT_STOP_MS).unref();
      else closeIfIdle(connection);
    }
  }

  /** Closes all, also in the middle of an answer. */
  cut(): void {
    for (const { socket } of this.#all) socket.destroy();
  }

  #add(socket: Socket): Connection {
    const connection = { socket, underWay: 0, isUsed: false, endsByItself: false };
    this.#all.add(connection);
    socket.once("close", () => this.#all.delete(connection));
    this.#bounds?.admit(socket);
    if (!socket.destroyed) this.#handshakes?.admit(socket);
    return connection;
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function closeIfIdle({ socket, underWay }: Connection): void {
  if (underWay === 0) socket.destroy();
}
