import { create } from "@bufbuild/protobuf";
import { type EncodedEntity, EncodedJson } from "../../api/encoded-answer.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import type { ClockSetting } from "../../model/clock.js";
import type { ServiceName, UrlKey } from "../config/services.js";
import type { ConsoleFiles } from "./console-files.js";

/** Browser features that the page does not use. Clipboard writes stay allowed. */
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

/** Headers of all page files. */
const FILE_HEADERS = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
  "x-frame-options": "DENY",
} as const;

export interface PageHeaderOptions {
  readonly cacheControl: string;
  /** Other origins that the page may connect to. */
  readonly origins?: readonly string[];
  /** Trusted Types policies that the page may create. */
  readonly trustedTypes?: string;
}

/** Headers of every file of the console and the docs site. */
export const pageHeaders = ({
  cacheControl,
  origins = [],
  trustedTypes = "'none'",
}: PageHeaderOptions): Record<string, string> => ({
  "cache-control": cacheControl,
  "content-security-policy": contentSecurityPolicy(origins, trustedTypes),
  ...FILE_HEADERS,
});

/**
 * Returns the page's Content Security Policy (Level 3). The page can use its own files, and connect to its own origin
 * and to `origins`.
 */
function contentSecurityPolicy(origins: readonly string[], trustedTypes: string): string {
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
    `trusted-types ${trustedTypes}`,
  ].join("; ");
}

/** The service that serves the console. */
export const CONSOLE_HOST = "messaging-data";

/** Addresses at which browsers reach the other services; null if unknown. */
export type ServiceUrls = Readonly<Record<UrlKey<Exclude<ServiceName, typeof CONSOLE_HOST>>, string | null>>;

/** Settings that the page loads at startup. */
export interface PageSettings extends ServiceUrls {
  /** Server version. */
  readonly version: string;
  /** Delay from when a day ends until it is listed. */
  readonly settleDelayMs: number;
  /** Last setting of the day clock. Omitted if the clock is not adjustable. */
  readonly clock?: ClockSetting;
  /** Prefix of scope names. */
  readonly scopeBase: string;
  /** OAuth 2.0 sign-in, if configured. */
  readonly oauth?: { readonly issuer: string; readonly clientId: string; readonly scope: string };
}

export interface ConsoleRouteParts {
  readonly files: ConsoleFiles;
  readonly settings: () => PageSettings;
  /** Other origins to which the page can connect. */
  readonly connectsTo: () => readonly string[];
}

/** Path of the page, and path prefix of its files. */
export const CONSOLE_PATH = "/console/";

/** An asset name contains a content digest, so that assets never change. */
export const FOR_A_YEAR = "public, max-age=31536000, immutable";

const NOTHING = create(HttpBodySchema, { contentType: "text/plain; charset=utf-8" });

/** Returns routes for the page, its files and its settings, each by exact name. Only the page reads the query. */
export function consoleRoutes({ files, settings, connectsTo }: ConsoleRouteParts): PlainRoute[] {
  const headers = (cacheControl: string): Record<string, string> =>
    pageHeaders({ cacheControl, origins: connectsTo() });
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
    redirectTo(CONSOLE_PATH, () => headers("no-cache")),
  ];
}

/** Redirects from a path without its trailing slash. */
export function redirectTo(path: string, headers: () => Record<string, string>): PlainRoute {
  // Relative, because a proxy may have removed a prefix of the path.
  const location = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  return {
    httpMethod: "GET",
    path: path.slice(0, -1),
    answer: ({ query }) => ({
      body: NOTHING,
      status: 308,
      headers: { ...headers(), location: query === "" ? location : `${location}?${query}` },
    }),
  };
}
