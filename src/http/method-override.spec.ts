import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../api/testing/error-of.js";
import { type Library, startLibrary } from "../transcoding/testing/library.js";

let library: Library;
let url: string;
beforeAll(async () => {
  library = await startLibrary();
  ({ url } = library);
});
afterAll(() => library.close());

const form = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers: {
    "x-http-method-override": "GET",
    "content-type": "application/x-www-form-urlencoded",
    ...headers,
  },
});
const post = (target: string, init: RequestInit): Promise<Response> => fetch(url + target, init);

describe("a GET request that is sent as a form", () => {
  test.each([
    ["all in the body", "", "tags=a&tags=b&pageSize=3"],
    ["some in the URL", "?tags=a&pageSize=3", "tags=b"],
    ["escapes", "", "t%61gs=%61&tags=b&pageSize=3"],
    ["an integer with leading zeros and a sign", "", "tags=a&tags=b&pageSize=%2B03"],
    ["nothing in the body", "?tags=a&tags=b&pageSize=3", ""],
  ])("is handled like a GET with %s", async (_name, query, body) => {
    const response = await post(`/v1/shelves/1/books${query}`, form(body));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      request: { parent: "shelves/1", tags: ["a", "b"], pageSize: 3 },
    });
  });

  it("has the entity tag of the GET, and checks preconditions like it", async () => {
    const query = "tags=a&pageSize=3";
    const etag = (await fetch(`${url}/v1/shelves/1/books?${query}`)).headers.get("etag") ?? "";
    const ask = async (headers: Record<string, string>): Promise<(number | string | null)[]> => {
      const response = await post("/v1/shelves/1/books", form(query, headers));
      return [response.status, response.headers.get("etag")];
    };
    expect(await ask({})).toEqual([200, etag]);
    expect(await ask({ "if-none-match": etag })).toEqual([304, etag]);
    expect(await ask({ "if-none-match": "*" })).toEqual([304, etag]);
    expect(await ask({ "if-match": etag })).toEqual([200, etag]);
    expect(await ask({ "if-match": '"other"' })).toEqual([412, null]);
  });

  it("may be longer than a URL", async () => {
    const tags = Array.from({ length: 1000 }, (_each, index) => `t${index}`);
    const response = await post("/v1/shelves/1/books", form(tags.map((tag) => `tags=${tag}`).join("&")));
    expect(await response.json()).toMatchObject({ request: { tags } });
  });

  test.each<[name: string, init: RequestInit, status: number, reason: string, path?: string]>([
    ["no form", form("{}", { "content-type": "application/json" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["too large", form(`tags=${"x".repeat(10_000)}`), 413, "BODY_TOO_LARGE"],
    ["a parameter that is unknown", form("pagesize=3"), 400, "UNKNOWN_PARAMETER"],
    ["an integer as a fraction", form("pageSize=3.0"), 400, "INVALID_PARAMETER"],
    ["an integer after a space", form("pageSize=+3"), 400, "INVALID_PARAMETER"],
    ["not UTF-8", form("tags=%ff"), 400, "MALFORMED_QUERY"],
    ["no GET at the path", form(""), 405, "METHOD_NOT_ALLOWED", "/v1/shelves/1/books/2/pages:upload"],
    ["another method", form("", { "x-http-method-override": "PATCH" }), 405, "METHOD_NOT_ALLOWED"],
  ])("is rejected: %s", async (_name, init, status, reason, path = "/v1/shelves/1/books") => {
    const response = await post(path, init);
    expect(response.status).toBe(status);
    expect(errorOf(await response.text())).toMatchObject({ reason });
  });
});
