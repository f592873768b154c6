import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { withResolver } from "@waybill/client/support";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import type { CallContext } from "../api/service.js";
import { errorOf } from "../api/testing/error-of.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import type { Outcome } from "../http/request-record.js";
import { rawExchange } from "../http/testing/raw-exchange.js";
import type { Book } from "./testing/gen/waybill/testing/v1/library_pb.js";
import { type Library, type LibraryOptions, libraryImplementation, startLibrary } from "./testing/library.js";

let library: Library;
let url: string;
const outcomes: Outcome<string>[] = [];

beforeAll(async () => {
  library = await startLibrary({ observe: (outcome) => outcomes.push(outcome) });
  ({ url } = library);
});
afterAll(() => library.close());

const BOOK = "/v1/shelves/1/books/2";
const LARGE = "/v1/shelves/1/books/large";

const json = (method: string, body: unknown): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

it("handles each request for the same target by its own method, credentials and body", async () => {
  const authorize: LibraryOptions["authorize"] = (_method, authorization) => () => {
    if (authorization === "none")
      throw new ApiError({ code: Code.PERMISSION_DENIED, reason: "DENIED", message: "no access" });
    return String(authorization);
  };
  const own = await startLibrary({ authorize });
  onTestFinished(() => own.close());
  const responseTo = async (init: RequestInit, authorization: string, target = BOOK) => {
    const response = await fetch(own.url + target, { ...init, headers: { ...init.headers, authorization } });
    return [response.status, init.method === "HEAD" ? "" : await response.json()];
  };
  const book = { name: "shelves/1/books/2", title: "isbn 0 copy 0" };
  const denied = [403, expect.anything()];
  for (let round = 0; round < 3; round++) {
    expect(await responseTo({}, "none")).toEqual(denied);
    expect(await responseTo({}, "anyone")).toEqual([200, book]);
    expect(await responseTo({ method: "HEAD" }, "anyone")).toEqual([200, ""]);
    expect(await responseTo({ method: "DELETE" }, "anyone")).toEqual([200, {}]);
    expect(await responseTo({ method: "DELETE" }, "none")).toEqual(denied);
    const title = `title ${round}`;
    expect(await responseTo(json("PATCH", { title }), "anyone", `${BOOK}?updateMask=title`)).toEqual([
      200,
      { ...book, title: `${title} (title)` },
    ]);
    const override = { "x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded" };
    const withForm = { method: "POST", headers: override, body: `isbn=${round}` };
    expect(await responseTo({}, "anyone", "/v1/books/a")).toEqual([
      200,
      { name: "a", title: "isbn 0 copy 0" },
    ]);
    expect(await responseTo(withForm, "anyone", "/v1/books/a")).toEqual([
      200,
      { name: "a", title: `isbn ${round} copy 0` },
    ]);
    // Only a principal with access sees errors of parameters.
    expect(await responseTo({}, "none", `${BOOK}?unknown=1`)).toEqual(denied);
    expect((await responseTo({}, "anyone", `${BOOK}?unknown=1`))[0]).toBe(400);
    expect((await responseTo({ method: "PUT" }, "anyone"))[0]).toBe(405);
  }
});

describe("a method", () => {
  test.each<[request: string, init: RequestInit, expected: unknown]>([
    [BOOK, {}, { name: "shelves/1/books/2", title: "isbn 0 copy 0" }],
    ["/v1/books/a%2Fb?isbn=3", {}, { name: "a/b", title: "isbn 3 copy 0" }],
    ["/v1/isbn/978/copies/2", {}, { title: "isbn 978 copy 2" }],
    [BOOK, { method: "DELETE" }, {}],
    [BOOK, { method: "LOCK" }, { name: "shelves/1/books/2", title: "locked" }],
    [
      `${BOOK}:move`,
      json("POST", { destination: "x", position: "3" }),
      { name: "shelves/1/books/2", title: "to x at 3" },
    ],
    [`${BOOK}:move`, json("POST", { name: "other" }), { name: "shelves/1/books/2", title: "to  at 0" }],
    [
      `${BOOK}?updateMask=title`,
      json("PATCH", { title: "T" }),
      { name: "shelves/1/books/2", title: "T (title)" },
    ],
    [`${BOOK}/tags`, json("PUT", ["a", "b"]), ["a", "b"]],
    [`${BOOK}/tags`, json("PUT", []), []],
  ])("%s %j returns %j", async (request, init, expected) => {
    const response = await fetch(url + request, init);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual(expected);
  });

  test.each([
    ["/v1/files", "file "],
    ["/v1/files/a/b%20c%2Fd", "file a/b c%2Fd"],
    ["/v1/archive/zip/x:list", "file zip/x"],
  ])("%s returns bytes of their own media type", async (request, text) => {
    const response = await fetch(url + request);
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe(text);
  });

  it("binds every kind of parameter", async () => {
    const query = "pageSize=10&tags=a&tags=b&author.displayName=x+y&loanPeriod=3s&floor=0&fields=request";
    const response = await fetch(`${url}/v1/shelves/1/books?${query}`);
    expect(await response.json()).toEqual({
      request: {
        parent: "shelves/1",
        pageSize: 10,
        tags: ["a", "b"],
        author: { displayName: "x y" },
        loanPeriod: "3s",
        floor: 0,
      },
    });
  });

  it("reports its status, operation, principal and error to the observer", async () => {
    outcomes.length = 0;
    await fetch(url + BOOK);
    await fetch(`${url}/nope`);
    expect(
      outcomes.map(({ status, operation, caller, error }) => [status, operation, caller, error?.reason]),
    ).toEqual([
      [200, "GetBook", "anyone", undefined],
      [404, undefined, undefined, "ROUTE_NOT_FOUND"],
    ]);
    expect(outcomes[0]?.durationMs).toBeGreaterThan(0);
  });

  it("is observed in its own scope, even if others of the same event loop tick are too", async () => {
    const current = new AsyncLocalStorage<IncomingHttpHeaders>();
    const observed: [title: unknown, scope: unknown][] = [];
    const library = await startLibrary({
      scope: {
        inCall: (headers, respond) => current.run(headers, respond),
        laterInCall: (work) => AsyncLocalStorage.bind(work),
      },
      observe: ({ target }) => observed.push([target, current.getStore()?.["x-target"]]),
    });
    const sockets = Array.from({ length: 3 }, () => connect(Number(new URL(library.url).port), "127.0.0.1"));
    const request = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Target: ${target}\r\n\r\n`;
    const first = sockets.map((socket) => once(socket, "data"));
    for (const socket of sockets) socket.write(request("/v1/first"));
    await Promise.all(first);
    const second = sockets.map((socket) => once(socket, "data"));
    // The server accepted the connections before, so that it reads all these requests together.
    for (const [i, socket] of sockets.entries()) socket.write(request(`/v1/${i}`));
    await Promise.all(second);
    await expect.poll(() => observed.length).toBe(6);
    for (const [target, scope] of observed) expect(scope).toBe(target);
    for (const socket of sockets) socket.destroy();
    await library.close();
  });
});

describe("a response", () => {
  it("has headers for caching, sniffing and its request id", async () => {
    const { headers } = await fetch(url + BOOK);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("vary")).toBe("accept-encoding");
    expect(headers.get("x-request-id")).toMatch(/^[\w-]{12}-\w+$/);
  });

  it("to HEAD equals that to GET without the body", async () => {
    const got = await fetch(url + BOOK);
    const headed = await fetch(url + BOOK, { method: "HEAD" });
    expect(headed.status).toBe(200);
    expect(await headed.text()).toBe("");
    for (const name of ["content-length", "content-type", "etag", "vary"]) {
      expect(headed.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  test.each(["gzip", "br", "identity"])(
    "in %s has its own entity tag, which matches a copy in any coding",
    async (coding) => {
      const [plain] = await rawExchange(url, `GET ${LARGE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const response = await fetch(url + LARGE, { headers: { "accept-encoding": coding } });
      const etag = response.headers.get("etag") ?? "";
      expect(etag).toMatch(coding === "identity" ? /^"[\w-]{22}"$/ : new RegExp(`^"[\\w-]{22}-${coding}"$`));
      expect(response.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
      expect(await response.text()).toBe(plain?.body);

      for (const accepted of ["gzip", "br", "identity"]) {
        const headers = { "accept-encoding": accepted, "if-none-match": `"x", W/${etag}` };
        const unchanged = await fetch(url + LARGE, { headers });
        expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
        expect(unchanged.headers.get("cache-control")).toBe("private, no-cache");
      }
    },
  );

  it("is compressed with the coding in Content-Encoding", async () => {
    const compressed = async (coding: string): Promise<Buffer> => {
      const request = `GET ${LARGE} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`;
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.write(request);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk);
      const all = Buffer.concat(chunks);
      return all.subarray(all.indexOf("\r\n\r\n") + 4);
    };
    expect(gunzipSync(await compressed("gzip")).toString()).toContain('"Large"');
    expect(brotliDecompressSync(await compressed("br")).toString()).toContain('"Large"');
  });

  it("is not compressed if it is small", async () => {
    const response = await fetch(url + BOOK, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBeNull();
  });

  it("is pretty-printed and partial on request", async () => {
    const pretty = await fetch(`${url}${BOOK}?prettyPrint=true&fields=name`);
    expect(await pretty.text()).toBe('{\n  "name": "shelves/1/books/2"\n}');
    const partial = await fetch(`${url}${LARGE}?fields=title`);
    expect(await partial.text()).toBe('{"title":"Large"}');
    const whole = await fetch(`${url}${BOOK}?fields=`);
    expect(await whole.json()).toHaveProperty("title");
    const wrong = await fetch(`${url}${BOOK}?fields=nope`);
    expect(errorOf(await wrong.text())).toMatchObject({
      reason: "INVALID_FIELD_SELECTION",
      fields: ["fields"],
    });
  });
});

describe("an error", () => {
  it("from a handler is sent unchanged", async () => {
    const response = await fetch(`${url}/v1/shelves/1/books/missing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        code: 404,
        message: "There is no shelves/1/books/missing.",
        status: "NOT_FOUND",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "RESOURCE_NOT_FOUND",
            domain: "library.test",
            metadata: { name: "shelves/1/books/missing" },
          },
        ],
      },
    });
  });

  it("in parameters names all invalid ones", async () => {
    const response = await fetch(`${url}/v1/shelves/1/books?pageSize=&nope=1`);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { details: unknown[] } };
    expect(error.details[1]).toEqual({
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [
        { field: "pageSize", description: "must be an integer from -2147483648 to 2147483647" },
        { field: "nope", description: "is not a parameter of this method" },
      ],
    });
  });

  it("for an unavailable store has a Retry-After header", async () => {
    const response = await fetch(`${url}/v1/shelves/1/books/lent`);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(errorOf(await response.text())).toMatchObject({ code: 503, reason: "STORE_UNAVAILABLE" });
  });

  it("that is unexpected shows the caller only its request id, and the observer the cause", async () => {
    const causes: unknown[] = [];
    const library = await startLibrary({ observe: ({ error }) => causes.push(error?.cause) });
    const response = await fetch(`${library.url}/v1/shelves/1/books/broken`);
    const body = await response.text();
    const requestId = response.headers.get("x-request-id");
    expect(body).not.toContain("secret");
    expect(errorOf(body)).toMatchObject({ code: 500, status: "INTERNAL", metadata: { requestId } });
    expect(causes).toMatchObject([{ message: "secret of the inside" }]);
    await library.close();
  });

  it("after the response has started closes the connection, and is observed once with its cause", async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("first");
      throw new TypeError("secret of the inside");
    }
    const outcomes: Outcome<string>[] = [];
    const library = await startLibrary({
      plainRoutes: [
        {
          httpMethod: "GET",
          path: "/stream",
          respond: () => ({ body: { contentType: "text/plain", pieces: pieces() } }),
        },
      ],
      observe: (outcome) => outcomes.push(outcome),
    });
    const response = await fetch(`${library.url}/stream`);
    await expect(response.text()).rejects.toThrow("terminated");
    await expect.poll(() => outcomes.length).toBe(1);
    await library.close();
    expect(outcomes).toMatchObject([
      {
        operation: "/stream",
        status: 500,
        error: { reason: "INTERNAL_ERROR", cause: { message: "secret of the inside" } },
      },
    ]);
  });

  it("from the authorization has the same form", async () => {
    const library = await startLibrary({
      authorize: () => {
        throw new Error("secret of the inside");
      },
    });
    const response = await fetch(library.url + BOOK);
    const body = await response.text();
    expect(body).not.toContain("secret");
    expect(errorOf(body)).toMatchObject({ code: 500, reason: "INTERNAL_ERROR" });
    await library.close();
  });
});

describe("request checks", () => {
  const refuse = (): never => {
    throw new ApiError({
      code: Code.UNAUTHENTICATED,
      reason: "CREDENTIALS_MISSING",
      message: "Who are you?",
    });
  };

  test.each<[request: string, init: RequestInit, reason: string]>([
    ["/nope?nope=1", json("POST", "{"), "ROUTE_NOT_FOUND"],
    ["/v1/shelves/1/books", { method: "DELETE" }, "METHOD_NOT_ALLOWED"],
    [`${BOOK}?nope=1`, {}, "CREDENTIALS_MISSING"],
    ["/v1/shelves/%ff/books/2", {}, "CREDENTIALS_MISSING"],
    [`${BOOK}:move`, { method: "POST", body: "{" }, "CREDENTIALS_MISSING"],
  ])("run in order: %s %j", async (request, init, reason) => {
    const library = await startLibrary({ authorize: refuse });
    const response = await fetch(library.url + request, init);
    expect(errorOf(await response.text()).reason).toBe(reason);
    await library.close();
  });

  it("examine parameters before the body", async () => {
    const response = await fetch(`${url}${BOOK}:move?nope=1`, { method: "POST", body: "{" });
    expect(errorOf(await response.text()).reason).toBe("UNKNOWN_PARAMETER");
  });

  it("pass the resource name to the authorization", async () => {
    let ids: string[] = [];
    const library = await startLibrary({
      authorize: (method) => (resource) => {
        ids = ["shelves", "books"].map((collection) => resource.idIn(collection));
        return method.name;
      },
    });
    await fetch(`${library.url}/v1/shelves/a%2Fb/books/%63`);
    expect(ids).toEqual(["a%2Fb", "c"]);
    await library.close();
  });
});

/** Starts a library with another handler for `getBook`. */
const withGetBook = (
  getBook: (context: CallContext<string>) => Promise<Book>,
  options: LibraryOptions = {},
): Promise<Library> =>
  startLibrary({
    ...options,
    services: [
      {
        ...libraryImplementation,
        handlers: { ...libraryImplementation.handlers, getBook: (_, context) => getBook(context) },
      },
    ],
  });

describe("a streamed body", () => {
  const UPLOAD = `${BOOK}/pages:upload?draft=true`;

  test.each<[what: string, encoding: string | undefined, body: Buffer, byteCount: number]>([
    ["as it is", undefined, Buffer.alloc(300_000, "x"), 300_000],
    ["in gzip", "gzip", gzipSync(Buffer.alloc(3_000_000, "x")), 3_000_000],
    ["in zstd", "zstd", Buffer.from("KLUv/QRYZQAAMGhlbGxvIAEAmUsRF16uDQ==", "base64"), 23],
  ])("%s reaches the handler", async (_, encoding, body, byteCount) => {
    const headers = { "content-type": "text/x", ...(encoding && { "content-encoding": encoding }) };
    const response = await fetch(url + UPLOAD, { method: "POST", body, headers });
    expect(await response.json()).toEqual({
      name: "shelves/1/books/2",
      contentType: "text/x",
      byteCount: String(byteCount),
      draft: true,
    });
  });

  it("can be empty", async () => {
    const response = await fetch(url + UPLOAD, { method: "POST" });
    expect(await response.json()).toMatchObject({ draft: true });
  });

  it("is read completely although the response was sent earlier", async () => {
    const chunk = Buffer.alloc(64 * 1024);
    for (const connection of ["keep-alive", "close"]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      const head = `POST /v1/shelves/1/books/refused/pages:upload HTTP/1.1\r\nHost: x\r\nConnection: ${connection}`;
      const size = 16 * 1024 * 1024;
      socket.write(`${head}\r\nContent-Length: ${size}\r\n\r\n`);
      const [expected] = await once(socket, "data");
      expect(String(expected)).toContain("400 Bad Request");
      for (let sent = 0; sent < size; sent += chunk.length) {
        if (!socket.write(chunk)) await once(socket, "drain");
      }
      if (connection === "keep-alive") {
        socket.write(`GET ${BOOK} HTTP/1.1\r\nHost: x\r\n\r\n`);
        const [next] = await once(socket, "data");
        expect(String(next)).toContain("200 OK");
        socket.destroy();
      } else {
        await once(socket.resume(), "close");
      }
    }
  });

  it("that is rejected does not prevent a client from reading the reason", async () => {
    for (const request of ["/nope", "/v1/shelves/1/books/refused/pages:upload", BOOK]) {
      const response = await fetch(url + request, { method: "POST", body: Buffer.alloc(32 * 1024 * 1024) });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(errorOf(await response.text()).code).toBe(response.status);
    }
  });
});

describe("a client that disconnects", () => {
  it("aborts its call's signal", async () => {
    const { promise: hasStarted, resolve: started } = withResolver();
    const { promise: wasAborted, resolve: aborted } = withResolver<unknown>();
    const library = await withGetBook(async ({ signal }) => {
      started();
      await once(signal, "abort");
      aborted(signal.reason);
      throw signal.reason;
    });
    const socket = connect(Number(new URL(library.url).port), "127.0.0.1");
    socket.write(`GET ${BOOK} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await hasStarted;
    socket.destroy();
    expect(await wasAborted).toMatchObject({ reason: "REQUEST_ABORTED" });
    await library.close();
  });

  it.each<[title: string, pieces: (signal: AbortSignal) => AsyncGenerator<Uint8Array>]>([
    [
      "although its next piece is not available",
      async function* () {
        yield Buffer.from("first");
        await new Promise(() => {});
      },
    ],
    [
      "which is no internal error, although reading its pieces fails then",
      async function* (signal) {
        yield Buffer.from("first");
        await once(signal, "abort");
        throw new Error("aborted");
      },
    ],
  ])("ends a streamed response immediately, %s", async (_, pieces) => {
    const statuses: number[] = [];
    const library = await startLibrary({
      plainRoutes: [
        {
          httpMethod: "GET",
          path: "/stream",
          respond: ({ signal }) => ({ body: { contentType: "text/plain", pieces: pieces(signal) } }),
        },
      ],
      observe: ({ status }) => statuses.push(status),
    });
    const socket = connect(Number(new URL(library.url).port), "127.0.0.1");
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await expect.poll(() => statuses).toEqual([499]);
    await library.close();
    expect(statuses).toEqual([499]);
  });
});

describe("a server that shuts down", () => {
  it("finishes running calls and rejects later ones", async () => {
    const { promise: released, resolve: release } = withResolver();
    const { promise: hasStarted, resolve: started } = withResolver();
    const library = await withGetBook(async () => {
      started();
      await released;
      throw new ApiError({ code: Code.NOT_FOUND, reason: "FINISHED", message: "Finished." });
    });
    const request = `GET ${BOOK} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const responses = rawExchange(library.url, request);
    await hasStarted;
    library.stop();
    const [rejected] = await rawExchange(library.url, request);
    expect(rejected?.head).toMatch(/^http\/1\.1 503 .*connection: close.*retry-after: 1/s);
    expect(errorOf(rejected?.body ?? "")).toMatchObject({ status: "UNAVAILABLE", reason: "SHUTTING_DOWN" });
    const closed = library.close();
    release();
    expect((await responses)[0]?.status).toBe(404);
    await closed;
  });
});

describe("JsonHandler", () => {
  it("rejects a service without a handler for each method", async () => {
    const { getBook: _, ...handlers } = libraryImplementation.handlers;
    const incomplete = { ...libraryImplementation, handlers } as unknown as typeof libraryImplementation;
    await expect(startLibrary({ services: [incomplete] })).rejects.toThrow(/GetBook has no handler/);
  });

  it("rejects two services for the same requests", async () => {
    await expect(startLibrary({ services: [libraryImplementation, libraryImplementation] })).rejects.toThrow(
      "matches the same requests",
    );
  });
});
