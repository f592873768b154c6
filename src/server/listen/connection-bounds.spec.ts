import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionBounds } from "./connection-bounds.js";
import type { PortBounds } from "./connections.js";
import { type SharedPort, sharedPort } from "./shared-port.js";
import type { TlsMaterial } from "./tls.js";

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));
const TLS: TlsMaterial = { cert: fixture("server.pem"), key: fixture("server.key") };

const LIMITS = { total: 3, each: 2 };
const HERE = "127.0.0.1";
const ELSEWHERE = "127.0.0.2";

let port: SharedPort;
let number: number;
let closed: number;
const clients: { destroy(): void }[] = [];

/** Serves connections within {@link LIMITS}; requests for `/never` stay in progress. */
async function serve(tls?: TlsMaterial, more: PortBounds = {}): Promise<void> {
  closed = 0;
  const bounds = { open: new ConnectionBounds(LIMITS, () => closed++), ...more };
  port = sharedPort({
    http: {},
    tls,
    bounds,
    handler: (request, response) => {
      request.resume();
      if (request.url !== "/never") response.end("responded");
    },
  });
  port.server.listen(0, HERE);
  await once(port.server, "listening");
  number = (port.server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  const ended = once(port.server, "close");
  port.server.close();
  port.closeSessions();
  port.connections.cut();
  await ended;
});

/** Opens a connection and waits until the server has accepted it. */
async function open(localAddress = HERE): Promise<Socket> {
  const socket = connect({ host: HERE, port: number, localAddress });
  clients.push(socket.on("error", () => {}));
  const accepted = once(port.server, "connection");
  await Promise.all([once(socket, "connect"), accepted]);
  return socket;
}

/** Sends a request. @returns true if a response came, false if the connection ended. */
async function isServed(socket: Socket): Promise<boolean> {
  const responded = once(socket, "data").then(() => true);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return Promise.race([responded, end(socket).then(() => false)]);
}

/** Sends a request that never gets a response, and waits until the server has it. */
async function occupy(socket: Socket): Promise<void> {
  const begun = once(port.server, "request");
  socket.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
  await begun;
}

const end = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket.resume(), "close");
};

describe("when one address exceeds its connection limit, the server", () => {
  it("closes the connection that has been idle longest", async () => {
    await serve();
    const [first, second] = [await open(), await open()];
    expect(await isServed(second)).toBe(true);
    expect(await isServed(first)).toBe(true);
    const third = await open();
    await end(second);
    expect(await isServed(first)).toBe(true);
    expect(await isServed(third)).toBe(true);
    expect(closed).toBe(1);
  });

  it("keeps a connection with a request, even if it is the oldest", async () => {
    await serve();
    const busy = await open();
    await occupy(busy);
    const idle = await open();
    expect(await isServed(await open())).toBe(true);
    await end(idle);
    expect(busy.closed).toBe(false);
  });

  it("keeps idle connections of other addresses, even if they are older", async () => {
    await serve();
    const other = await open(ELSEWHERE);
    const own = await open();
    expect(await isServed(await open())).toBe(true);
    expect(await isServed(await open())).toBe(true);
    await end(own);
    expect(await isServed(other)).toBe(true);
  });

  it("closes a new connection if all others are busy", async () => {
    await serve();
    const busy = [await open(), await open()];
    for (const socket of busy) await occupy(socket);
    await end(await open());
    expect(await isServed(await open(ELSEWHERE))).toBe(true);
    busy[0]?.destroy();
    await expect.poll(async () => isServed(await open())).toBe(true);
  });
});

describe("when all addresses together exceed the connection limit, the server", () => {
  it("closes the connection that has been idle longest, whatever its address is", async () => {
    await serve();
    const other = await open(ELSEWHERE);
    expect(await isServed(other)).toBe(true);
    await open();
    await open();
    expect(await isServed(await open(ELSEWHERE))).toBe(true);
    await end(other);
    expect(closed).toBe(1);
  });
});

describe("when HTTP/2 connections exceed the limit, the server", () => {
  it("closes an idle connection, and keeps a connection with an open stream", async () => {
    await serve();
    const sessions = [];
    for (const path of ["/never", "/"]) {
      const session = connectHttp2(`http://${HERE}:${number}`);
      clients.push(session.on("error", () => {}));
      const stream = session.request({ ":path": path }).on("error", () => {});
      if (path === "/") await once(stream.resume(), "close");
      else await once(session, "remoteSettings");
      sessions.push(session);
    }
    const [busy, idle] = sessions;
    expect(await isServed(await open())).toBe(true);
    await expect.poll(() => idle?.destroyed).toBe(true);
    expect(busy?.destroyed).toBe(false);
  });
});

describe("when TLS connections exceed the limit, the server", () => {
  it("closes unfinished handshakes to make room", async () => {
    await serve(TLS);
    const waiting = [await open(), await open()];
    const client = connectTls({ host: HERE, port: number, rejectUnauthorized: false });
    clients.push(client.on("error", () => {}));
    await once(client, "secureConnect");
    await end(waiting[0] as Socket);
    expect(await isServed(client)).toBe(true);
    expect(waiting[1]?.closed).toBe(false);
  });

  it("closes the oldest of too many handshakes, without counting established connections", async () => {
    await serve(TLS, { handshakes: new ConnectionBounds({ total: 1, each: 1 }, () => closed++) });
    const connected = connectTls({ host: HERE, port: number, rejectUnauthorized: false });
    clients.push(connected.on("error", () => {}));
    expect(await isServed(connected)).toBe(true);
    const [first, second] = [await open(ELSEWHERE), await open(ELSEWHERE)];
    await end(first);
    expect(second.closed).toBe(false);
    expect(await isServed(connected)).toBe(true);
  });
});
