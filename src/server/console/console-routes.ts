import { create } from "@bufbuild/protobuf";
import type { EncodedEntity } from "../../api/encoded-answer.js";
import { EncodedJson } from "../../api/encoded-answer.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import type { ConsoleFiles } from "./console-files.js";
import { contentSecurityPolicy, FILE_HEADERS } from "./page-headers.js";

/** What the page asks for when it is opened. */
export interface PageSettings {
  /** Where browsers reach the app-integrity service; null if nobody has said. */
  readonly integrityUrl: string | null;
  /** Version of the program. */
  readonly version: string;
  /** How long after its end a day is listed. */
  readonly settleDelayMs: number;
  /** What stands before the names of scopes. */
  readonly scopeBase: string;
  /** How to sign in by OAuth 2.0, if that is possible. */
  readonly oauth?: { readonly issuer: string; readonly clientId: string; readonly scope: string };
}

/** What {@link consoleRoutes} serves. */
export interface ConsoleRouteParts {
  readonly files: ConsoleFiles;
  readonly settings: () => PageSettings;
  /** The origins that the page may connect to besides its own. */
  readonly connectsTo: () => readonly string[];
}

/** The address of the page; all else of it lies below. */
export const CONSOLE_PATH = "/console/";

/** The name of a file changes with its content. */
const FOR_A_YEAR = "public, max-age=31536000, immutable";

const NOTHING = create(HttpBodySchema, { contentType: "text/plain; charset=utf-8" });

/**
 * The page, its files and its settings, by their exact names. The query of the page is what it shows, so any is taken; it is
 * for the page alone.
 */
export function consoleRoutes({ files, settings, connectsTo }: ConsoleRouteParts): PlainRoute[] {
  const headers = (cacheControl: string): Record<string, string> => ({
    "cache-control": cacheControl,
    "content-security-policy": contentSecurityPolicy(connectsTo()),
    ...FILE_HEADERS,
  });
  const get = (
    path: string,
    cacheControl: string,
    body: () => EncodedEntity,
    operation = path,
  ): PlainRoute => ({
    httpMethod: "GET",
    path,
    operation,
    answer: () => ({ body: body(), headers: headers(cacheControl) }),
  });
  return [
    get(CONSOLE_PATH, "no-cache", () => files.index),
    get(
      `${CONSOLE_PATH}config.json`,
      "no-store",
      () => new EncodedJson(Buffer.from(JSON.stringify(settings()))),
    ),
    ...[...files.assets].map(([name, asset]) =>
      get(`${CONSOLE_PATH}assets/${name}`, FOR_A_YEAR, () => asset, `${CONSOLE_PATH}assets/*`),
    ),
    {
      httpMethod: "GET",
      path: CONSOLE_PATH.slice(0, -1),
      // Relative, as a proxy may have taken away what stood before.
      answer: ({ query }) => ({
        body: NOTHING,
        status: 308,
        headers: { ...headers("no-cache"), location: query === "" ? "console/" : `console/?${query}` },
      }),
    },
  ];
}
