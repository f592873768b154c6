import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { rawExchange } from "../../src/http/testing/raw-exchange.js";
import { listOf } from "../support/data/delivery-data.js";
import { importInto } from "../support/data/import.js";
import { configOf, nameOf } from "../support/data/integrity.js";
import { envelope } from "../support/http/calls.js";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  RawConnection,
} from "../support/http/http2-frames.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP } from "../support/servers/project.js";

const ORIGIN = "https://pages.example.com";
const GET_CALL = "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig";

serving.override("config", { ...BASE_CONFIG, cors: { origins: [ORIGIN] } });
const test = serving
  /** Sends one request. @returns its status, or 0 if the stream was reset. */
  .extend(
    "statusByHttp2",
    ({ server }) =>
      async (fields: Fields, flags = END_HEADERS | END_STREAM): Promise<[status: number, text: string]> => {
        const connection = new RawConnection(server.integrityUrl);
        await connection.open();
        const block = Buffer.concat(fields.map(([name, value]) => fieldBlock({ [name]: value })));
        await connection.send(frame(FRAME.headers, flags, 1, block));
        const response = await connection.next(
          ({ type, stream }) => stream === 1 && type !== FRAME.windowUpdate,
        );
        if (response?.type === FRAME.headers && (response.flags & END_STREAM) === 0) {
          await connection.next(({ type, stream }) => stream === 1 && type === FRAME.data);
        }
        connection.socket.destroy();
        const isReset = response === undefined || response.type === FRAME.resetStream;
        return [isReset ? 0 : Number(/"code":(\d+)/.exec(connection.text)?.[1] ?? 200), connection.text];
      },
  )
  .extend(
    "exchange",
    ({ server, viewer }) =>
      ([listener, , , headers = ""]: RequestOfKind, line: string, host: string) =>
        rawExchange(
          server[listener],
          `${line}\r\n${host}${headers.replace("TOKEN", viewer)}Connection: close\r\n\r\n`,
        ),
  )
  .extend(
    "post",
    ({ server }) =>
      (headers: string, rest = "0\r\n\r\n", version = "1.1") =>
        rawExchange(
          server.integrityUrl,
          `POST /oauth2/token HTTP/${version}\r\nHost: x\r\n${headers}Connection: close\r\n\r\n${rest}`,
        ),
  );

type Listener = "integrityUrl" | "messagingDataUrl" | "adminUrl";

type RequestOfKind = readonly [Listener, method: string, path: string, headers?: string];

/** A request for each kind of path; its headers are without `Host`. */
const REQUESTS: Readonly<Record<string, RequestOfKind>> = {
  "a read": ["integrityUrl", "GET", configOf(IOS_APP), "Authorization: Bearer TOKEN\r\n"],
  "a read without a token": ["messagingDataUrl", "GET", listOf(ANDROID_APP)],
  "an import": ["messagingDataUrl", "POST", importInto(), "Content-Length: 0\r\n"],
  "the token endpoint": ["integrityUrl", "POST", "/oauth2/token", "Content-Length: 0\r\n"],
  "a description": ["integrityUrl", "GET", "/openapi.json"],
  "an unknown path": ["messagingDataUrl", "GET", "/nothing"],
  "a method that is not allowed": ["integrityUrl", "DELETE", configOf(IOS_APP)],
  "a CORS preflight": [
    "integrityUrl",
    "OPTIONS",
    configOf(IOS_APP),
    `Origin: ${ORIGIN}\r\nAccess-Control-Request-Method: GET\r\n`,
  ],
  "a tunnel": ["integrityUrl", "CONNECT", "example.com:443"],
  "a call by Connect": [
    "integrityUrl",
    "POST",
    GET_CALL,
    "Content-Type: application/json\r\nContent-Length: 0\r\n",
  ],
  "an expectation": ["integrityUrl", "POST", "/oauth2/token", "Expect: miracles\r\nContent-Length: 0\r\n"],
  "the console": ["messagingDataUrl", "GET", "/console/"],
  health: ["adminUrl", "GET", "/healthz"],
  readiness: ["adminUrl", "GET", "/readyz"],
  metrics: ["adminUrl", "HEAD", "/metrics"],
  "no path of operators": ["adminUrl", "GET", "/nothing"],
};

const INVALID_HOSTS: Readonly<Record<string, string>> = {
  none: "",
  two: "Host: a\r\nHost: b\r\n",
  "the same twice": "Host: a\r\nhost: a\r\n",
  "an empty one": "Host:\r\n",
  "one with a space": "Host: a b\r\n",
  "one with a user": "Host: me@example.com\r\n",
  "an address of the web": "Host: http://example.com\r\n",
  "one with a port that is not a number": "Host: a:b\r\n",
};

describe.each(Object.entries(REQUESTS))("%s over HTTP/1.1", (_name, request) => {
  const [, method, path] = request;
  test.for(Object.entries(INVALID_HOSTS))(
    "is malformed with Host: %s",
    async ([_case, host], { exchange }) => {
      const [response, ...others] = await exchange(request, `${method} ${path} HTTP/1.1`, host);
      expect([response?.status, others.length]).toEqual([400, 0]);
      expect(response?.head).toContain("content-type: application/json; charset=utf-8");
      if (method !== "HEAD") expect(errorOf(response?.body ?? "").reason).toBe("MALFORMED_REQUEST");
    },
  );

  test("is accepted with exactly one valid Host", async ({ exchange }) => {
    const [response] = await exchange(request, `${method} ${path} HTTP/1.1`, "Host: example.com:80\r\n");
    if (response?.body) expect(response.body).not.toContain("MALFORMED_REQUEST");
    expect(response?.status).not.toBe(400 * Number(method === "GET"));
  });

  test.for(["0.9", "2.0"])("is malformed as HTTP/%s", async (version, { exchange }) => {
    const [response] = await exchange(request, `${method} ${path} HTTP/${version}`, "Host: example.com\r\n");
    expect(response?.status).toBe(400);
  });
});

test("an HTTP/1.0 request needs no Host", async ({ server }) => {
  for (const host of ["", "Host: localhost\r\n"]) {
    const [response] = await rawExchange(server.adminUrl, `GET /healthz HTTP/1.0\r\n${host}\r\n`);
    expect(response?.status).toBe(200);
  }
});

test.for([
  ["http://localhost/healthz", 200],
  ["http://localhost:80/healthz", 200],
  ["http://example.com/healthz", 421],
  ["http:///healthz", 400],
  ["http://me@example.com/healthz", 400],
] as const)("a request with the absolute target %s returns %i", async ([target, status], { server }) => {
  const [response] = await rawExchange(
    server.adminUrl,
    `GET ${target} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n`,
  );
  expect(response?.status).toBe(status);
});

/** HTTP/2 header fields, which may repeat. */
type Fields = readonly (readonly [name: string, value: string])[];

const requestFields = (path: string, ...more: Fields): Fields => [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", path],
  ...more,
];

describe("a request over HTTP/2", () => {
  test.for<[name: string, more: Fields]>([
    ["an empty authority", [[":authority", ""]]],
    ["an authority with a user", [[":authority", "me@example.com"]]],
    ["an authority with a port that is not a number", [[":authority", "a:b"]]],
    [
      "another host than its authority",
      [
        [":authority", "a"],
        ["host", "b"],
      ],
    ],
    [
      "two hosts",
      [
        [":authority", "a"],
        ["host", "a"],
        ["host", "a"],
      ],
    ],
    ["an invalid host and no authority", [["host", "a b"]]],
    ["neither", []],
    [
      "two authorities",
      [
        [":authority", "a"],
        [":authority", "a"],
      ],
    ],
  ])("is malformed with %s", async ([_name, more], { statusByHttp2 }) => {
    for (const path of [configOf(IOS_APP), "/nothing", "/openapi.json"]) {
      const [status, text] = await statusByHttp2(requestFields(path, ...more));
      // Violations of HTTP/2 itself may reset the stream instead (RFC 9113 §8.1.1).
      if (status !== 0) expect([status, text]).toEqual([400, expect.stringContaining("MALFORMED_REQUEST")]);
    }
  });

  test.for<[name: string, more: Fields]>([
    ["an authority", [[":authority", "example.com:80"]]],
    [
      "an authority and the same host",
      [
        [":authority", "example.com"],
        ["host", "EXAMPLE.com"],
      ],
    ],
    ["a host without a port", [["host", "example.com"]]],
  ])("is accepted with %s", async ([_name, more], { statusByHttp2 }) => {
    const fields = requestFields("/nothing", ...more);
    expect((await statusByHttp2(fields))[0]).toBe(404);
  });

  test.for([
    ["FETCH", configOf(IOS_APP), 405],
    ["get", "/nothing", 404],
    ["DELETE", configOf(IOS_APP), 405],
  ] as const)("with the method %s for %s returns %i", async ([method, path, code], { statusByHttp2 }) => {
    const [, ...others] = requestFields(path, [":authority", "x"]);
    const [status, text] = await statusByHttp2([[":method", method], ...others]);
    expect([status, text]).toEqual([code, expect.stringContaining('"domain":"integrity.waybill"')]);
  });

  test("for a tunnel is rejected as in HTTP/1.1", async ({ statusByHttp2 }) => {
    const fields: Fields = [
      [":method", "CONNECT"],
      [":authority", "example.com:443"],
    ];
    const [status, text] = await statusByHttp2(fields, END_HEADERS);
    expect([status, text]).toEqual([404, expect.stringContaining("ROUTE_NOT_FOUND")]);
  });
});

describe("a request with two Authorization headers is rejected", () => {
  test.for<[name: string, headersOf: (good: string) => string]>([
    ["the same twice", (good) => good + good],
    ["a token and another scheme", (good) => `${good}Authorization: Basic eDp5\r\n`],
    ["another scheme and a token", (good) => `Authorization: Basic eDp5\r\n${good}`],
    ["a token and nothing", (good) => `${good}Authorization:\r\n`],
    ["nothing and a token", (good) => `Authorization:\r\n${good}`],
  ])("%s", async ([_name, headersOf], { server, viewer }) => {
    const headers = headersOf(`Authorization: Bearer ${viewer}\r\n`);
    const [response] = await rawExchange(
      server.integrityUrl,
      `GET ${configOf(IOS_APP)} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`,
    );
    expect(response?.status).toBe(401);
    expect(response?.head).toContain("www-authenticate: bearer");
  });

  test("over HTTP/2", async ({ viewer, statusByHttp2 }) => {
    const authorization = ["authorization", `Bearer ${viewer}`] as const;
    const fields = requestFields(configOf(IOS_APP), [":authority", "x"]);
    expect((await statusByHttp2([...fields, authorization]))[0]).toBe(200);
    const [status, text] = await statusByHttp2([...fields, authorization, authorization]);
    expect([status, text]).toEqual([401, expect.stringContaining("ACCESS_TOKEN_INVALID")]);
  });
});

test("a gRPC request with two Authorization headers is rejected", async ({ server, viewer }) => {
  const name = Buffer.from(nameOf(IOS_APP));
  // The first field of the request message.
  const message = envelope(Buffer.concat([Buffer.from([10, name.length]), name]));
  const fields = {
    ":method": "POST",
    ":scheme": "http",
    ":path": GET_CALL,
    ":authority": "x",
    "content-type": "application/grpc",
    authorization: `Bearer ${viewer}`,
  };
  const once = fieldBlock(fields);
  const twice = Buffer.concat([once, fieldBlock({ authorization: fields.authorization })]);
  for (const [block, hasMessage] of [
    [once, true],
    [twice, false],
  ] as const) {
    const connection = new RawConnection(server.integrityUrl);
    await connection.open();
    await connection.send(
      frame(FRAME.headers, END_HEADERS, 1, block),
      frame(FRAME.data, END_STREAM, 1, message),
    );
    const head = await connection.next(({ type, stream }) => stream === 1 && type === FRAME.headers);
    // A response without a message ends with its head.
    expect(((head?.flags ?? END_STREAM) & END_STREAM) === 0).toBe(hasMessage);
    connection.socket.destroy();
  }
});

describe("the server rejects a request", () => {
  test.for([
    ["gzip, chunked", "Transfer-Encoding: gzip, chunked\r\n"],
    ["gzip and chunked", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"],
    ["only gzip", "Transfer-Encoding: gzip\r\n"],
    ["chunked, gzip", "Transfer-Encoding: chunked, gzip\r\n"],
    ["identity", "Transfer-Encoding: identity\r\n"],
    ["an unknown name", "Transfer-Encoding: xchunked\r\n"],
  ] as const)("with the unimplemented transfer coding %s", async ([_name, headers], { post }) => {
    const [response, ...others] = await post(headers);
    expect([response?.status, others.length]).toEqual([501, 0]);
    expect(errorOf(response?.body ?? "").reason).toBe("TRANSFER_CODING_NOT_IMPLEMENTED");
  });

  test.for([
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "1.1"],
    ["chunks by HTTP/1.0", "Transfer-Encoding: chunked\r\n", "1.0"],
  ] as const)("with malformed framing: %s", async ([_name, headers, version], { post }) => {
    const [response] = await post(headers, undefined, version);
    expect([response?.status, errorOf(response?.body ?? "").reason]).toEqual([400, "MALFORMED_REQUEST"]);
  });

  test("but not if chunked is in upper case", async ({ post }) => {
    const [response] = await post("Transfer-Encoding: Chunked\r\n");
    expect(response?.body).toContain("invalid_request");
  });
});

describe("a request with an unknown method", () => {
  const END = "Host: x\r\nConnection: close\r\n\r\n";

  test.for([
    ["with a valid form", `FETCH /nothing HTTP/1.1\r\n${END}`, 501, "METHOD_NOT_IMPLEMENTED"],
    ["in lower case", `get / HTTP/1.1\r\n${END}`, 501, "METHOD_NOT_IMPLEMENTED"],
    [
      "after another request",
      `GET / HTTP/1.1\r\nHost: x\r\n\r\nFETCH / HTTP/1.1\r\n${END}`,
      501,
      "METHOD_NOT_IMPLEMENTED",
    ],
    ["that is not a token", `GE(T / HTTP/1.1\r\n${END}`, 400, "MALFORMED_REQUEST"],
    ["of no protocol", `FETCH /\r\n${END}`, 400, "MALFORMED_REQUEST"],
    ["of another protocol", `FETCH / FTP/1.1\r\n${END}`, 400, "MALFORMED_REQUEST"],
  ] as const)(
    "gets a response that depends on its form: %s",
    async ([_name, request, status, reason], { server }) => {
      for (const url of [server.integrityUrl, server.adminUrl]) {
        const response = (await rawExchange(url, request)).at(-1);
        expect([response?.status, errorOf(response?.body ?? "").reason]).toEqual([status, reason]);
      }
    },
  );
});
