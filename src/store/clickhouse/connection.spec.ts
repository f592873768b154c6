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

  /** Connects to a server that first reports an error of the engine, and then answers. */
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
    "Code: 210, e.displayText() = DB::NetException: Connection reset by peer, while reading from socket",
  ])("reads again whose connection to another server broke: %s", async (error) => {
    await connectToFailing(error);
    expect(String(await connection.read("SELECT 1"))).toBe("row");
    expect(requests).toBe(2);
  });

  it("does not read again while no replica of a shard answers", async () => {
    await connectToFailing("Code: 279, e.displayText() = DB::NetException: All connection tries failed.");
    await expect(connection.read("SELECT 1")).rejects.toThrow("All connection tries failed");
    expect(requests).toBe(1);
  });

  /** Connects to a server that breaks the first connections, and then answers. */
  async function connectTo(broken: number, status = 200): Promise<void> {
    requests = 0;
    server = await loopbackServer((request, response) => {
      if (++requests <= broken) request.socket.destroy();
      else request.resume().on("end", () => response.writeHead(status).end("row"));
    });
    connection = new Connection({ urls: [server.origin] });
  }

  it("reads again once its connection broke", async () => {
    await connectTo(1);
    expect(String(await connection.read("SELECT 1"))).toBe("row");
  });

  it("runs a statement again once its connection broke", async () => {
    await connectTo(1);
    await connection.run("CREATE TABLE IF NOT EXISTS t");
    expect(requests).toBe(2);
  });

  it("fails when its connection breaks again", async () => {
    await connectTo(2);
    await expect(connection.read("SELECT 1")).rejects.toThrow("socket hang up");
    expect(requests).toBe(2);
  });

  it.each([
    ["runOnce", () => connection.runOnce("INSERT INTO t SELECT 1")],
    ["insert", () => connection.insert("INSERT INTO t", [Buffer.from("row")])],
  ])("%s does not repeat a statement whose outcome is unknown", async (_name, send) => {
    await connectTo(1);
    await expect(send()).rejects.toThrow();
    expect(requests).toBe(1);
  });

  it("does not repeat a statement that the engine refuses", async () => {
    await connectTo(0, 500);
    await expect(connection.read("SELECT 1")).rejects.toThrow();
    expect(requests).toBe(1);
  });
});
