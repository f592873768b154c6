import { create } from "@bufbuild/protobuf";
import { EncodedEntity, EncodedJson } from "../../api/encoded-response.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import type { ConsoleFiles } from "./console-files.js";
import { ConsolePage, type PageSettings } from "./console-page.js";

/**
 * Browser features that pages of the console must not use. Clipboard writes are not in this list, because the console
 * needs them.
 */
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

/** Keeps pages of other origins from loading a file. */
const SAME_ORIGIN = { "cross-origin-resource-policy": "same-origin" } as const;

/** Headers of everything that a browser may show as a document. */
const DOCUMENT_HEADERS = {
  ...SAME_ORIGIN,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
} as const;

export interface PageHeaderOptions {
  readonly cacheControl: string;
  /** Other origins to which the page may connect. */
  readonly origins?: readonly string[];
  /** Trusted Types policies that the page may create. */
  readonly trustedTypes?: string;
  /** True if pages of any origin may show the page in a frame. */
  readonly isFramed?: boolean;
}

/** Returns the headers for documents of the console and the docs site. */
export const pageHeaders = ({
  cacheControl,
  origins = [],
  trustedTypes = "'none'",
  isFramed = false,
}: PageHeaderOptions): Record<string, string> => ({
  "cache-control": cacheControl,
  "content-security-policy": contentSecurityPolicy(origins, trustedTypes, isFramed ? "*" : "'none'"),
  ...DOCUMENT_HEADERS,
  ...(!isFramed && { "x-frame-options": "DENY" }),
});

/**
 * Returns the Content Security Policy (Level 3) of a page. The page can load its own files, and can connect to its own
 * origin and to `origins`.
 */
function contentSecurityPolicy(
  origins: readonly string[],
  trustedTypes: string,
  frameAncestors: string,
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Needed for exporting a chart as a picture.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    // Prevents every conversion of plain text to HTML or script.
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join("; ");
}

export interface ConsoleRouteParts {
  readonly files: ConsoleFiles;
  readonly settings: () => PageSettings;
  /** Returns other origins to which the page can connect. */
  readonly connectsTo: () => readonly string[];
}

/** Path of the console page. Paths of its files start with it. */
export const CONSOLE_PATH = "/console/";

/** Path of the page that shows a shared view. It is the only page that other pages may show in a frame. */
const EMBED_PATH = `${CONSOLE_PATH}embed`;

/** Path of a shared view's data. */
export const SHARED_VIEW_PATH = `${EMBED_PATH}/data`;

/** Cache header for files that never change, because their name contains a content digest. */
export const FOR_A_YEAR = "public, max-age=31536000, immutable";

const NOTHING = create(HttpBodySchema, { contentType: "text/plain; charset=utf-8" });

/**
 * Returns routes for the console page, its files and its settings. Each has an exact path. The server ignores the
 * query, which only the page itself reads.
 */
export function consoleRoutes({ files, settings, connectsTo }: ConsoleRouteParts): PlainRoute[] {
  const headers = (cacheControl: string): Record<string, string> =>
    pageHeaders({ cacheControl, origins: connectsTo() });
  const get = (path: string, cacheControl: string, body: () => EncodedEntity): PlainRoute => ({
    httpMethod: "GET",
    path,
    respond: () => ({ body: body(), headers: headers(cacheControl) }),
  });
  const page = new ConsolePage(files.index);
  // Without settings, which only the console needs.
  const embed = new EncodedEntity(Buffer.from(files.index), "text/html; charset=utf-8");
  return [
    get(CONSOLE_PATH, "no-cache", () => page.with(settings())),
    get(
      `${CONSOLE_PATH}config.json`,
      "no-store",
      () => new EncodedJson(Buffer.from(JSON.stringify(settings()))),
    ),
    {
      httpMethod: "GET",
      path: EMBED_PATH,
      respond: () => ({ body: embed, headers: pageHeaders({ cacheControl: "no-cache", isFramed: true }) }),
    },
    ...[...files.assets].map(([name, asset]) => ({
      httpMethod: "GET" as const,
      path: `${CONSOLE_PATH}assets/${name}`,
      operation: `${CONSOLE_PATH}assets/*`,
      respond: () => ({
        body: asset,
        // A script or style is never a document. The page has about twenty, and the other headers as much as 600 bytes.
        headers: /\.(?:js|css)$/.test(name)
          ? { "cache-control": FOR_A_YEAR, ...SAME_ORIGIN }
          : headers(FOR_A_YEAR),
      }),
    })),
    redirectTo(CONSOLE_PATH, () => headers("no-cache")),
  ];
}

/** Creates a route that adds a missing trailing slash to a path by redirecting. */
export function redirectTo(path: string, headers: () => Record<string, string>): PlainRoute {
  // The location is relative, because a proxy may have removed a prefix from the path.
  const location = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  return {
    httpMethod: "GET",
    path: path.slice(0, -1),
    respond: ({ query }) => ({
      body: NOTHING,
      status: 308,
      headers: { ...headers(), location: query === "" ? location : `${location}?${query}` },
    }),
  };
}
