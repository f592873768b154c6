import { create } from "@bufbuild/protobuf";
import { type EncodedEntity, EncodedJson } from "../../api/encoded-answer.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import type { ClockSetting } from "../../model/clock.js";
import type { ServiceName, UrlKey } from "../config/services.js";
import type { ConsoleFiles } from "./console-files.js";

/** Browser features that the page does not use. Clipboard writes stay allowed, for copying. */
const UNUSED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
];

/** Headers of every file of the page, whatever the page connects to. */
const FILE_HEADERS = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
  "x-frame-options": "DENY",
} as const;

/**
 * Returns the page's Content Security Policy (Level 3): it may use its own files, and connect to its own
 * origin and the given ones.
 */
function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Exporting a chart as a picture needs these.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Blocks every conversion of text into HTML or script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** The service that serves the console. */
export const CONSOLE_HOST = "messaging-data";

/** Addresses at which browsers reach the other services; null if unknown. */
export type ServiceUrls = Readonly<Record<UrlKey<Exclude<ServiceName, typeof CONSOLE_HOST>>, string | null>>;

/** Settings that the page loads when it opens. */
export interface PageSettings extends ServiceUrls {
  /** Version of the server. */
  readonly version: string;
  /** Delay between the end of a day and its listing. */
  readonly settleDelayMs: number;
  /** The last setting of the clock of the days; missing if it cannot be turned. */
  readonly clock?: ClockSetting;
  /** Prefix of the names of scopes. */
  readonly scopeBase: string;
  /** OAuth 2.0 sign-in, if configured. */
  readonly oauth?: { readonly issuer: string; readonly clientId: string; readonly scope: string };
}

export interface ConsoleRouteParts {
  readonly files: ConsoleFiles;
  readonly settings: () => PageSettings;
  /** Origins besides its own that the page may connect to. */
  readonly connectsTo: () => readonly string[];
}

/** Path of the page, and prefix of all its files. */
export const CONSOLE_PATH = "/console/";

/** Assets never change under the same name, since the name contains a digest of the content. */
const FOR_A_YEAR = "public, max-age=31536000, immutable";

const NOTHING = create(HttpBodySchema, { contentType: "text/plain; charset=utf-8" });

/**
 * Routes of the page, its files and its settings, each by exact name. Any query is accepted: only the page
 * reads it, to decide what to show.
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
      // Relative, because a proxy may have removed a prefix of the path.
      answer: ({ query }) => ({
        body: NOTHING,
        status: 308,
        headers: { ...headers("no-cache"), location: query === "" ? "console/" : `console/?${query}` },
      }),
    },
  ];
}
