import type { PathTemplate, TemplateVariable } from "./path-template.js";

/** The route for a request path. */
export interface RouteMatch<T> {
  readonly value: T;
  /** Raw text of each variable, still percent-encoded, by field path. */
  readonly captures: ReadonlyMap<string, string>;
}

/** Matches all HTTP methods (`custom: {kind: "*"}`). */
const ANY_METHOD = "*";

interface Route<T> {
  readonly template: PathTemplate;
  readonly value: T;
}

/** Routes that end at one node of the trie, by HTTP method. */
type Routes<T> = Map<string, Route<T>>;

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  /** Child for `*`. */
  one: Node<T> | undefined;
  /** Routes with templates that end here. */
  readonly routes: Routes<T>;
  /** Routes with templates that continue here with `**`. */
  readonly rest: Routes<T>;
}

const newNode = <T>(): Node<T> => ({
  literals: new Map(),
  one: undefined,
  routes: new Map(),
  rest: new Map(),
});

/**
 * Finds the route for a raw request path. The path is split at `/` before decoding, and literals match exactly. If
 * several templates match, one with a verb is preferred. Then, from left to right, literals are preferred to `*`, and
 * `*` to `**`. The search backtracks from branches without a route.
 *
 * @example
 * ```ts
 * const router = new Router<string>();
 * router.add("GET", parsePathTemplate("/v1/{name=shelves/*}"), "GetShelf");
 * router.match("GET", "/v1/shelves/poetry"); // value: "GetShelf"; capture of "name": "shelves/poetry"
 * router.match("POST", "/v1/shelves/poetry"); // undefined
 * ```
 */
export class Router<T> {
  /** One trie per verb. Templates without a verb use the empty one. */
  readonly #tries = new Map<string, Node<T>>([["", newNode()]]);

  /** @throws Error if another route matches the same method and paths. */
  add(httpMethod: string, template: PathTemplate, value: T): void {
    const verb = template.verb ?? "";
    let node = getOrCreate(this.#tries, verb);
    let routes = node.routes;
    for (const segment of template.segments) {
      if (segment.kind === "rest") {
        routes = node.rest;
        break;
      }
      if (segment.kind === "one") {
        node.one ??= newNode();
        node = node.one;
      } else {
        node = getOrCreate(node.literals, segment.text);
      }
      routes = node.routes;
    }
    const other = routes.get(httpMethod);
    if (other !== undefined) {
      throw new Error(`${httpMethod} ${template.text} matches the same requests as ${other.template.text}`);
    }
    routes.set(httpMethod, { template, value });
  }

  /** Finds the route for a method and path. `HEAD` falls back to `GET` (RFC 9110 §9.3.2). */
  match(httpMethod: string, path: string): RouteMatch<T> | undefined {
    return this.#find(path, (routes, segments) => {
      const route =
        routes.get(httpMethod) ??
        (httpMethod === "HEAD" ? routes.get("GET") : undefined) ??
        routes.get(ANY_METHOD);
      return route && { value: route.value, captures: capture(route.template.variables, segments) };
    });
  }

  /** Returns the allowed methods of a path, sorted; none if the path does not exist. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    this.#find(path, (routes) => {
      for (const method of routes.keys()) methods.add(method);
      return undefined;
    });
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  }

  /** Visits matching routes, the best first, until the visitor returns a value. */
  #find<R>(
    path: string,
    visit: (routes: Routes<T>, segments: readonly string[]) => R | undefined,
  ): R | undefined {
    const segments = path.slice(1).split("/");
    if (path[0] !== "/" || segments.includes("")) return undefined;
    const last = segments.length - 1;
    const text = path.slice(path.lastIndexOf("/") + 1);
    const colon = text.lastIndexOf(":");
    const withVerb = colon > 0 ? this.#tries.get(text.slice(colon + 1)) : undefined;
    if (withVerb !== undefined && colon < text.length - 1) {
      const stripped = segments.with(last, text.slice(0, colon));
      const found = walk(withVerb, 0, stripped, (routes) => visit(routes, stripped));
      if (found !== undefined) return found;
    }
    const plain = this.#tries.get("");
    return plain && walk(plain, 0, segments, (routes) => visit(routes, segments));
  }
}

function getOrCreate<T>(nodes: Map<string, Node<T>>, name: string): Node<T> {
  let node = nodes.get(name);
  if (node === undefined) {
    node = newNode();
    nodes.set(name, node);
  }
  return node;
}

function walk<T, R>(
  node: Node<T>,
  at: number,
  segments: readonly string[],
  visit: (routes: Routes<T>) => R | undefined,
): R | undefined {
  const segment = segments[at];
  if (segment === undefined) return visit(node.routes) ?? visit(node.rest);
  const literal = node.literals.get(segment);
  return (
    (literal && walk(literal, at + 1, segments, visit)) ??
    (node.one && walk(node.one, at + 1, segments, visit)) ??
    visit(node.rest)
  );
}

function capture(variables: readonly TemplateVariable[], segments: readonly string[]): Map<string, string> {
  const captures = new Map<string, string>();
  for (const { fieldPath, start, end, open } of variables) {
    captures.set(fieldPath, segments.slice(start, open ? undefined : end).join("/"));
  }
  return captures;
}
