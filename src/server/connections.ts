import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The connections of a server, so that it can stop although some of them would stay. */
export class Connections {
  readonly #all = new Set<Socket>();
  /** Those on which no request has come yet. To the server they look busy, so it would wait for them when it closes. */
  readonly #unused = new Set<Socket>();
  /** Those of the system below TLS whose handshake has not ended, by their other end. */
  readonly #handshaking = new Map<string, Socket>();

  /** @param event `secureConnection` for a server with TLS. */
  constructor(server: Server, event: "connection" | "secureConnection" = "connection") {
    server.on("connection", (socket: Socket) => track(this.#all, socket));
    server.on(event, (socket: Socket) => track(this.#unused, socket));
    server.on("request", ({ socket }) => this.used(socket));
    if (event === "secureConnection") this.#trackHandshakes(server);
  }

  /** Notes that a connection is in use by another way than a request to the server. */
  used(socket: Socket): void {
    this.#unused.delete(socket);
  }

  /** Closes those that nobody has used yet. */
  closeUnused(): void {
    for (const socket of [...this.#unused, ...this.#handshaking.values()]) socket.destroy();
  }

  /** Closes all, also in the middle of an answer. */
  cut(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #trackHandshakes(server: Server): void {
    server.on("connection", (socket: Socket) => {
      const peer = peerOf(socket);
      this.#handshaking.set(peer, socket);
      socket.once("close", () => this.#handshaking.delete(peer));
    });
    server.on("secureConnection", (socket: Socket) => this.#handshaking.delete(peerOf(socket)));
  }
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
