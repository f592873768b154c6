import { afterEach, describe, expect, it } from "vitest";
import { type LoopbackServer, loopbackServer } from "../../http/testing/loopback-server.js";
import { Connection } from "./connection.js";

describe("a connection to a single address", () => {
  let server: LoopbackServer;
  let connection: Connection;
  /** Number of requests. */
  let requests: number;
  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  /** Connects to a server that first reports an engine error, and then succeeds. */
  async function connectToFailing(error: string): Promise<void> {
    requests = 0;
    server = await loopbackServer((request, response) => {
      request.resume().on("end", () => {
        if (++requests === 1) response.writeHead(500).end(error);
        else response.end("row");
      });
    });
    connection = new Connection({ urls: [server.origin] });
  }

  it.each([
    "Code: 32, e.displayText() = DB::Exception: Attempt to read after eof, e.what() = DB::Exception",
    "Code: 101, e.displayText() = DB::NetException: Unexpected packet Data received from client., e.what() = DB::Exception",
    "Code: 102, e.displayText() = DB::NetException: Unexpected packet from server, e.what() = DB::Exception",
    "Code: 210, e.displayText() = DB::NetException: Connection reset by peer, while reading from socket",
  ])("repeats a read if the server's connection to another server broke: %s", async (error) => {
    await connectToFailing(error);
    expect(String(await connection.read("SELECT 1"))).toBe("row");
    expect(requests).toBe(2);
  });

  it("does not repeat a read if no replica of a shard responds", async () => {
    await connectToFailing("Code: 279, e.displayText() = DB::NetException: All connection tries failed.");
    await expect(connection.read("SELECT 1")).rejects.toThrow("All connection tries failed");
    expect(requests).toBe(1);
  });

  /** Connects to a server that breaks the first connections, and then responds. */
  async function connectTo(broken: number, status = 200): Promise<void> {
    requests = 0;
    server = await loopbackServer((request, response) => {
      if (++requests <= broken) request.socket.destroy();
      else request.resume().on("end", () => response.writeHead(status).end("row"));
    });
    connection = new Connection({ urls: [server.origin] });
  }

  it("repeats a read if its connection broke", async () => {
    await connectTo(1);
    expect(String(await connection.read("SELECT 1"))).toBe("row");
  });

  it("repeats a statement if its connection broke", async () => {
    await connectTo(1);
    await connection.run("CREATE TABLE IF NOT EXISTS t");
    expect(requests).toBe(2);
  });

  it("fails if the connection breaks again", async () => {
    await connectTo(2);
    await expect(connection.read("SELECT 1")).rejects.toThrow("socket hang up");
    expect(requests).toBe(2);
  });

  it.each([
    ["runOnce", () => connection.runOnce("INSERT INTO t SELECT 1")],
    ["insert", () => connection.insert("INSERT INTO t", Buffer.from("row"))],
  ])("%s does not repeat a statement with an unknown outcome", async (_name, send) => {
    await connectTo(1);
    await expect(send()).rejects.toThrow();
    expect(requests).toBe(1);
  });

  it("does not repeat a statement that the engine rejects", async () => {
    await connectTo(0, 500);
    await expect(connection.read("SELECT 1")).rejects.toThrow();
    expect(requests).toBe(1);
  });
});
