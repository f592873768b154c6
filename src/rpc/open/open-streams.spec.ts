import { once } from "node:events";
import { createServer, type Http2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  createGrpcTransport,
  createGrpcWebTransport,
  type GrpcWebTransportOptions,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { withResolver } from "@waybill/client/support";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { Health } from "../../gen/health/v1/health_pb.js";
import { ResponseShares } from "../../http/responses/response-shares.js";
import { RpcHandler } from "../rpc-handler.js";
import { addHealth } from "./health.js";
import { OpenStreams } from "./open-streams.js";
import { addReflection } from "./reflection.js";

const LIMITS = { ofConnection: 2, ofAddress: 4, inAll: 5, milliseconds: 60_000 };

let server: Http2Server;
let sessions: Http2SessionManager[];
let url: string;
/** For each stream, true if it was handled without a request object. */
let taken: boolean[];

async function serve(limits: Partial<typeof LIMITS> = {}): Promise<void> {
  const rpc = new RpcHandler({
    services: [],
    errorDomain: "test.waybill",
    authorize: () => {
      throw new Error("nobody is asked who they are");
    },
    budgetKeyOf: () => "nobody",
    shares: new ResponseShares(),
    openStreams: new OpenStreams({ ...LIMITS, ...limits }),
    open: (router, stopping) => {
      addHealth(router, { services: [], ready: async () => {}, stopping });
      addReflection(router, [Health], stopping);
    },
    newRequestId: () => "1",
  });
  server = createServer((request, response) => rpc.handle(request as never, response as never));
  const [toRequest] = server.listeners("stream") as ((...stream: unknown[]) => void)[];
  server.removeAllListeners("stream");
  server.on("stream", (...stream) => {
    const [incoming, headers, , rawHeaders] = stream as unknown as [...typeof stream, string[]];
    taken.push(rpc.take(incoming, headers, rawHeaders));
    if (!taken.at(-1)) toRequest?.call(server, ...stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => {
  sessions = [];
  taken = [];
});
afterEach(async () => {
  for (const session of sessions) session.abort();
  server.close();
  await once(server, "close");
});

function connected(
  localAddress = "127.0.0.1",
  createTransport: typeof createGrpcTransport = createGrpcTransport,
): Client<typeof Health> & Pick<Client<typeof ServerReflection>, "serverReflectionInfo"> {
  const baseUrl = url;
  const sessionManager = new Http2SessionManager(
    baseUrl,
    {},
    {
      createConnection: ({ hostname: host, port }) => connect({ host, port: Number(port), localAddress }),
    },
  );
  sessions.push(sessionManager);
  const transport = createTransport({ baseUrl, sessionManager });
  return { ...createClient(Health, transport), ...createClient(ServerReflection, transport) };
}

/** Starts a watch; resolves to `open` after its first message, or to its error reason. */
async function watch(client: ReturnType<typeof connected>, signal?: AbortSignal): Promise<string> {
  const messages = client.watch({}, signal && { signal })[Symbol.asyncIterator]();
  try {
    await messages.next();
    return "open";
  } catch (error) {
    return reasonOf(error);
  }
}

const reasonOf = (error: unknown): string => {
  const { code, ...cause } = ConnectError.from(error);
  const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
  return info === undefined ? `${Code[code]} ${cause.message}` : `${Code[code]} ${info.reason}`;
};

const REFUSED = "ResourceExhausted TOO_MANY_STREAMS";

describe("streams without a token", () => {
  it("have a limit per connection", async () => {
    await serve();
    const client = connected();
    expect(await watch(client)).toBe("open");
    expect(await watch(client)).toBe("open");
    expect(await watch(client)).toBe(REFUSED);
    expect(await watch(connected())).toBe("open");
  });

  it("have a limit per IPv6 /64 network, because a client can use all its addresses", () => {
    const streams = new OpenStreams(LIMITS);
    const from = (remoteAddress: string, remotePort: number) => ({ remoteAddress, remotePort, localPort: 1 });
    for (let count = 0; count < LIMITS.ofAddress; count++)
      streams.open(from(`2001:db8:0:7::${count}`, count));
    expect(streams.hasRoom(from("2001:db8:0:7:1:2:3:4", 9))).toBe(false);
    expect(streams.hasRoom(from("2001:db8:0:8::1", 9))).toBe(true);
  });

  it("have a limit per address, and a limit in total", async () => {
    await serve();
    const outcomes = [];
    for (let count = 0; count < 6; count++) outcomes.push(await watch(connected()));
    expect(outcomes).toEqual(["open", "open", "open", "open", REFUSED, REFUSED]);
    const other = await Promise.all([watch(connected("127.0.0.2")), watch(connected("127.0.0.2"))]);
    expect(other.sort()).toEqual([REFUSED, "open"]);
  });

  it("do not count toward their address's limit if their connection has too many", async () => {
    await serve();
    const byWeb = connected("127.0.0.1", (options) =>
      createGrpcWebTransport({ ...options, httpVersion: "2" } as GrpcWebTransportOptions),
    );
    expect([await watch(byWeb), await watch(byWeb)]).toEqual(["open", "open"]);
    for (let refused = 0; refused < 5; refused++) expect(await watch(byWeb)).toBe(REFUSED);
    const other = connected();
    expect([await watch(other), await watch(other)]).toEqual(["open", "open"]);
  });

  it("are rejected in every protocol, and without a request object in binary gRPC", async () => {
    await serve();
    const client = connected();
    expect([await watch(client), await watch(client)]).toEqual(["open", "open"]);
    expect(await watch(connected("127.0.0.2"))).toBe("open");
    const rejections = await Promise.all(Array.from({ length: 100 }, () => watch(client)));
    expect(new Set(rejections)).toEqual(new Set([REFUSED]));
    expect(taken).toEqual([false, false, false, ...rejections.map(() => true)]);
    const byWeb = connected("127.0.0.1", (options) =>
      createGrpcWebTransport({ ...options, httpVersion: "2" } as GrpcWebTransportOptions),
    );
    expect([await watch(byWeb), await watch(byWeb), await watch(byWeb)]).toEqual(["open", "open", REFUSED]);
    expect(taken.slice(-3)).toEqual([false, false, false]);
  });

  it("are no longer counted after they end", async () => {
    await serve();
    const client = connected();
    for (let count = 0; count < 20; count++) {
      const leaving = new AbortController();
      await expect.poll(() => watch(client, leaving.signal)).toBe("open");
      leaving.abort();
    }
  });

  it("are no longer counted after their connection breaks", async () => {
    await serve();
    const client = connected();
    expect([await watch(client), await watch(client)]).toEqual(["open", "open"]);
    for (let count = 0; count < 4; count++) {
      for (const session of sessions.splice(0)) session.abort();
      await expect.poll(() => watch(connected())).toBe("open");
      await expect.poll(() => watch(connected())).toBe("open");
    }
  });

  it("end at their maximum duration, with a status after which clients reconnect", async () => {
    await serve({ milliseconds: 50 });
    const client = connected();
    const watching = async (): Promise<void> => {
      for await (const _ of client.watch({}));
    };
    expect(reasonOf(await watching().catch((error: unknown) => error))).toBe("Unavailable STREAM_EXPIRED");
    expect(await watch(client)).toBe("open");
  });

  it("include reflection streams", async () => {
    await serve({ milliseconds: 200 });
    const client = connected();
    const { promise: ended, resolve: end } = withResolver();
    async function* questions() {
      yield { host: "", messageRequest: { case: "listServices" as const, value: "" } };
      await ended;
    }
    const streams = [1, 2].map(() => client.serverReflectionInfo(questions())[Symbol.asyncIterator]());
    for (const stream of streams) expect((await stream.next()).done).toBe(false);
    expect(await watch(client)).toBe(REFUSED);
    const ends = streams.map((stream) => stream.next().then(String, reasonOf));
    expect(await Promise.all(ends)).toEqual(["Unavailable STREAM_EXPIRED", "Unavailable STREAM_EXPIRED"]);
    end();
  });

  it("do not include calls that are not streams", async () => {
    await serve();
    const client = connected();
    await watch(client);
    await watch(client);
    for (let count = 0; count < 10; count++) expect((await client.check({})).status).toBe(1);
  });

  it("reject messages that are larger than a name can be", async () => {
    await serve();
    const client = connected();
    const service = "x".repeat(20_000);
    const asking = async (): Promise<void> => {
      for await (const _ of client.watch({ service }));
    };
    expect(reasonOf(await asking().catch((error: unknown) => error))).toMatch(/^ResourceExhausted/);
    expect(reasonOf(await client.check({ service }).catch((error: unknown) => error))).toMatch(
      /^ResourceExhausted/,
    );
  });
});
