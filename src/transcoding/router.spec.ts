import { describe, expect, it, test } from "vitest";
import { parsePathTemplate } from "./path-template.js";
import { Router } from "./router.js";

/** Creates a router. Its routes are named by method and template. */
function routerOf(...routes: string[]): Router<string> {
  const router = new Router<string>();
  for (const route of routes) {
    const [method = "", template = ""] = route.split(" ");
    router.add(method, parsePathTemplate(template), route);
  }
  return router;
}

const find = (router: Router<string>, request: string): string | undefined => {
  const [method = "", path = ""] = request.split(" ");
  return router.match(method, path)?.value;
};

describe("a router", () => {
  test.each<[template: string, path: string, matches: boolean]>([
    ["/v1/a", "/v1/a", true],
    ["/v1/a", "/v1/A", false],
    ["/v1/a", "/v1/%61", false],
    ["/v1/a", "/v1/a/", false],
    ["/v1/a", "//v1/a", false],
    ["/v1/a", "/v1//a", false],
    ["/v1/a", "/v1", false],
    ["/v1/a", "/v1/a/b", false],
    ["/v1/a", "v1/a", false],
    ["/v1/a", "*", false],
    ["/v1/a", "", false],
    ["/v1/*", "/v1/x", true],
    ["/v1/*", "/v1/..", true],
    ["/v1/*", "/v1/a%2Fb", true],
    ["/v1/*", "/v1/", false],
    ["/v1/*", "/v1", false],
    ["/v1/*", "/v1/a/b", false],
    ["/v1/**", "/v1", true],
    ["/v1/**", "/v1/a", true],
    ["/v1/**", "/v1/a/b/c", true],
    ["/v1/**", "/v1/", false],
    ["/v1/**", "/v1/a//c", false],
    ["/v1/**", "/v2/a", false],
    ["/v1/{name=a/*/b/*}", "/v1/a/1/b/2", true],
    ["/v1/{name=a/*/b/*}", "/v1/a/1/c/2", false],
    ["/v1/*:go", "/v1/x:go", true],
    ["/v1/*:go", "/v1/x:y:go", true],
    ["/v1/*:go", "/v1/x:Go", false],
    ["/v1/*:go", "/v1/x%3Ago", false],
    ["/v1/*:go", "/v1/:go", false],
    ["/v1/*:go", "/v1/x", false],
    ["/v1/*:go", "/v1/x:go/y", false],
    ["/v1/a:go", "/v1/a:go", true],
    ["/v1/**:go", "/v1/a/b:go", true],
    ["/v1/**:go", "/v1:go", true],
    ["/v1/*", "/v1/1:2:ios:3", true],
  ])("with %s matches %s: %s", (template, path, matches) => {
    expect(find(routerOf(`GET ${template}`), `GET ${path}`) !== undefined).toBe(matches);
  });

  test.each<[routes: string[], request: string, winner: string]>([
    [["GET /a/*", "GET /a/b"], "GET /a/b", "GET /a/b"],
    [["GET /**", "GET /*"], "GET /a", "GET /*"],
    [["GET /a/**", "GET /*/b"], "GET /a/b", "GET /a/**"],
    [["GET /a/b/c", "GET /*/b/d"], "GET /a/b/d", "GET /*/b/d"],
    [["GET /a/b/c", "GET /a/**"], "GET /a/b/d", "GET /a/**"],
    [["GET /a/*", "GET /a/*:go"], "GET /a/x:go", "GET /a/*:go"],
    [["GET /a/*", "GET /a/*:go"], "GET /a/x:stop", "GET /a/*"],
    [["GET /a/*", "POST /a/*:go"], "GET /a/x:go", "GET /a/*"],
    [["GET /a/**", "POST /a/b"], "GET /a/b", "GET /a/**"],
    [["GET /a/b", "GET /a/b/**"], "GET /a/b", "GET /a/b"],
    [["GET /a"], "HEAD /a", "GET /a"],
    [["GET /a", "HEAD /a"], "HEAD /a", "HEAD /a"],
    [["* /a", "GET /a"], "GET /a", "GET /a"],
    [["* /a", "GET /a"], "LOCK /a", "* /a"],
  ])("with %j routes %s to %s", (routes, request, winner) => {
    expect(find(routerOf(...routes), request)).toBe(winner);
    expect(find(routerOf(...routes.toReversed()), request)).toBe(winner);
  });

  test.each<[template: string, path: string, captures: Record<string, string>]>([
    ["/v1/{name}", "/v1/a%2Fb", { name: "a%2Fb" }],
    ["/v1/{name=a/*}/b", "/v1/a/1/b", { name: "a/1" }],
    ["/v1/{name=**}", "/v1", { name: "" }],
    ["/v1/{name=**}", "/v1/a/b", { name: "a/b" }],
    ["/v1/{name=a/**}:go", "/v1/a/b/c:d:go", { name: "a/b/c:d" }],
    ["/v1/{a}/x/{b=y/*}", "/v1/1/x/y/2", { a: "1", b: "y/2" }],
    ["/v1/{book.name=a/*}", "/v1/a/1", { "book.name": "a/1" }],
  ])("with %s captures from %s: %j", (template, path, captures) => {
    const match = routerOf(`GET ${template}`).match("GET", path);
    expect(Object.fromEntries(match?.captures ?? [])).toEqual(captures);
  });

  test.each<[routes: string[], path: string, methods: string[]]>([
    [["GET /a", "POST /a", "DELETE /*"], "/a", ["DELETE", "GET", "HEAD", "POST"]],
    [["POST /a:go", "GET /*"], "/a:go", ["GET", "HEAD", "POST"]],
    [["GET /a"], "/b", []],
  ])("with %j lists the methods of %s: %j", (routes, path, methods) => {
    expect(routerOf(...routes).methodsOf(path)).toEqual(methods);
  });

  it("rejects two routes for the same requests", () => {
    expect(() => routerOf("GET /a/{b}", "GET /a/{c=*}")).toThrow(
      "GET /a/{c=*} matches the same requests as /a/{b}",
    );
    expect(() => routerOf("GET /a/{b}", "POST /a/{b}", "GET /a/{b}:go", "GET /a/{b=**}")).not.toThrow();
  });
});
