import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_HEAD_AT_STOP_MS } from "../../limits/request-limits.js";
import type { ConnectionBounds } from "./connection-bounds.js";

/** Connection limits that several servers share. Omitted limits do not apply. */
export interface PortBounds {
  readonly open?: ConnectionBounds;
  /** Limit on connections during their TLS handshake. */
  readonly handshakes?: ConnectionBounds;
}

interface Connection {
  /** The TCP socket, below TLS. */
  readonly socket: Socket;
  /** Number of requests in progress. */
  underWay: number;
  /** True if any request has arrived. */
  isUsed: boolean;
  /** True if Node.js's HTTP/2 implementation closes the connection itself. */
  endsByItself: boolean;
}

/** Tracks a server's connections, to limit their number and to close them when the server stops. */
export class Connections {
  readonly #bounds: ConnectionBounds | undefined;
  readonly #handshakes: ConnectionBounds | undefined;
  readonly #all = new Set<Connection>();
  /** Connections by the socket on which their requests arrive. With TLS, this is the TLS socket. */
  readonly #served = new WeakMap<Socket, Connection>();

  /** @param event event of the server for new connections: `secureConnection` with TLS. */
  constructor(
    server: Server,
    event: "connection" | "secureConnection" = "connection",
    { open, handshakes }: PortBounds = {},
  ) {
    this.#bounds = open;
    this.#handshakes = event === "secureConnection" ? handshakes : undefined;
    /** Connections by remote address and port. A TLS socket and its TCP socket have the same ones. */
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
      // Not `once`, because removing the listener costs more than everything else here.
      response.on("close", () => this.ended(socket));
    });
  }

  /** Records that a request starts on a connection. */
  began(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection === undefined) return;
    connection.underWay++;
    connection.isUsed = true;
    this.#bounds?.busy(connection.socket);
  }

  /** Records that a request ended. */
  ended(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection === undefined) return;
    connection.underWay--;
    if (connection.underWay === 0) this.#bounds?.idle(connection.socket);
  }

  /** Excludes a connection from {@link closeIdle}, because HTTP/2 closes the connection itself. */
  leave(socket: Socket): void {
    const connection = this.#served.get(socket);
    if (connection !== undefined) connection.endsByItself = true;
  }

  /**
   * Closes connections without a request in progress, including connections during their TLS handshake. Must be called
   * after the server was closed. A client that has begun to send a request head gets a short time to complete it. The
   * request is then rejected with an error response.
   */
  closeIdle(): void {
    for (const connection of this.#all) {
      const { underWay, isUsed, endsByItself } = connection;
      if (underWay > 0 || endsByItself) continue;
      if (isUsed) setTimeout(() => closeIfIdle(connection), MAX_HEAD_AT_STOP_MS).unref();
      else closeIfIdle(connection);
    }
  }

  /** Closes all connections immediately, even during a response. */
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
