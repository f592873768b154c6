import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { splitRequestTarget } from "../../src/http/request-head.js";
import { decodeSegment, decodeSegments } from "../../src/http/request-target.js";
import { type PathTemplate, parsePathTemplate } from "../../src/transcoding/path-template.js";
import { Router } from "../../src/transcoding/router.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { ExpectedTemplate } from "../oracles/path-template.js";
import { expectedDecoding } from "../oracles/percent-decoding.js";

const TEMPLATES = [
  "/v1beta1/{parent=projects/*/androidApps/*}/deliveryData",
  "/v1beta1/{parent=projects/*/androidApps/*}/deliveryData:aggregate",
  "/v1beta1/{parent=projects/*/androidApps/*}/incidents",
  "/v1beta1/{parent=projects/*/androidApps/*}/mirrorGaps",
  "/v1beta1/{parent=projects/*}/messageEvents:import",
  "/v1beta1/projects",
  "/v1/{name=projects/*/apps/*/appAttestConfig}",
  "/v1/{name=projects/**}",
  "/v1/{name=**}:go",
  "/v1/projects/{id}/{rest=**}",
];

/** A path is routed to the best matching template, with its variables' values. */
export const path: FuzzTarget = {
  name: "path",
  boundedInputs: 10_000,
  seeds: [
    "/{a=b/*}/c/{d}:go\n/b/x/c/y:go",
    "/**\n/v1beta1/projects/p/androidApps/1:2:android:3/deliveryData:aggregate",
    "/*\n/v1beta1/projects/p/messageEvents:import",
    "/a\n/v1/projects/1/apps/a%2Fb%2fc%3A/appAttestConfig",
    "/v1/{x=*}/**\nhttp://host:8080/v1/projects/p/q/r/%C3%A9%zz:go?query",
    "/{a}/{a}\n//v1//",
    "/{a=**}/b\n/v1/projects/",
  ],
  words: [
    ...["/", "/v1/", "/v1beta1/", "projects", "androidApps", "apps", "deliveryData", "incidents"],
    ...["appAttestConfig", "messageEvents"],
    ...[":", ":go", ":import", ":aggregate", "*", "**", "{", "}", "=", "{a=", "{a}", "\n", "?", "%2F"],
    ...["%2f", "%25", "%C3%A9"],
    ...["%FF", "%", "%4", "http://h", "..", "."],
  ],
  run(input) {
    const [template = "", target = ""] = input.toString("latin1").split("\n");
    const { path, query } = splitRequestTarget(target);
    ok(target.endsWith(query === "" ? path : `${path}?${query}`) || target.endsWith("?"), target);
    const own = parsed(template);
    checkMatch(own === undefined ? TEMPLATES : [...TEMPLATES, template], path);
  },
};

/** Parses a template; undefined if it is rejected with a proper message. */
function parsed(text: string): PathTemplate | undefined {
  try {
    return parsePathTemplate(text);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(`Path template "${text}": `)) return undefined;
    throw error;
  }
}

function checkMatch(templates: readonly string[], path: string): void {
  const router = new Router<string>();
  const added = templates.filter((text) => isAdded(router, text));
  const candidates = added
    .map((text) => new ExpectedTemplate(text))
    .flatMap((template) => {
      const captures = template.match(path);
      return captures === undefined ? [] : [{ template, captures }];
    })
    .sort((one, other) => (one.template.rank < other.template.rank ? -1 : 1));
  const found = router.match("HEAD", path);
  strictEqual(found?.value, candidates[0]?.template.text, path);
  deepStrictEqual(found?.captures, candidates[0]?.captures, path);
  deepStrictEqual(router.methodsOf(path), found === undefined ? [] : ["GET", "HEAD"]);
  strictEqual(router.match("POST", path), undefined);
  for (const raw of found?.captures.values() ?? []) {
    strictEqual(decodeSegment(raw), expectedDecoding(raw, {}), raw);
    strictEqual(decodeSegments(raw), expectedDecoding(raw, { keepSlash: true }), raw);
  }
}

/** Returns true if the router accepts the template, false if an earlier one matches the same requests. */
function isAdded(router: Router<string>, text: string): boolean {
  try {
    router.add("GET", parsePathTemplate(text), text);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(" matches the same requests as ")) return false;
    throw error;
  }
}
