import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Watches for connections on which no request has come yet. To the server they look busy, so it would wait for them
 * when it closes, as long as they please.
 *
 * @returns a function that closes them.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
