import * as z from "zod";
import { DEFAULT_SCOPE_BASE } from "../../auth/scopes.js";
import { filePath, nonEmpty } from "../../control/config-parts.js";
import { controlSchema } from "../../control/engines.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { WEBHOOK_EVENTS } from "../../incidents/webhooks/notified-incident.js";
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_DAYS,
  MAX_IMPORTS,
  MAX_LINE_BYTES,
  MAX_PROJECT_APPS,
  MAX_PROJECT_LABELS,
} from "../../limits/data-limits.js";
import { DAY_MS } from "../../model/clock.js";
import { dayOfCivil } from "../../model/day.js";
import { readTokenTtl } from "../../model/token-ttl.js";
import { storeSchema } from "../../store/engines.js";
import { consoleSchema } from "../console/console-schema.js";
import {
  appId,
  baseUrl,
  day,
  duration,
  hostName,
  httpUrl,
  instant,
  isSecure,
  origin,
  parseUrl,
  port,
} from "./config-values.js";
import { deliveryDataSource } from "./delivery-data-source.js";
import { emulationSchema } from "./emulation-schema.js";
import { integritySchema } from "./integrity-schema.js";
import { portKey, SERVICE_NAMES, SERVICES, type ServiceName, urlKey } from "./services.js";

const tokenTtl = z
  .string()
  .meta({ title: "duration" })
  .transform((text, context) => {
    const ttl = readTokenTtl(text);
    if (ttl !== undefined) return ttl;
    context.addIssue('must be a duration from 30 minutes ("1800s") to 7 days ("604800s"), in seconds');
    return z.NEVER;
  });

const projectId = z
  .string()
  .regex(
    /^(?!(?:\d+|-|\.\.?)$)[^/\p{Cc}]+$/u,
    'must not be a number, "-", "." or "..", and must not contain slashes or control characters',
  );
const BAD_PROJECT_NUMBER = 'must be a number of up to 18 digits, such as "123456789012"';
const projectNumber = z
  .union([z.string(), z.number().int().transform(String)], {
    error: ({ input }) => (input === undefined ? undefined : BAD_PROJECT_NUMBER),
  })
  .pipe(z.string().regex(/^[1-9]\d{0,17}$/, BAD_PROJECT_NUMBER));

const project = z.strictObject({
  id: projectId,
  number: projectNumber,
  displayName: nonEmpty.optional(),
  deliveryData: deliveryDataSource.prefault({ source: "events" }),
  apps: z
    .array(
      z.strictObject({
        id: appId,
        displayName: nonEmpty.optional(),
        bundleId: nonEmpty.optional(),
        teamId: z
          .string()
          .regex(/^[A-Z0-9]{10}$/, "must have 10 uppercase letters and digits, such as A1B2C3D4E5")
          .optional(),
        packageName: nonEmpty.optional(),
        attestation: z
          .strictObject({
            environments: z.array(z.enum(["production", "development"])).min(1, "must name an environment"),
          })
          .optional(),
        appAttestConfig: z.strictObject({ tokenTtl: tokenTtl.optional() }).optional(),
      }),
    )
    .default([]),
});

const introspectionUrl = httpUrl.refine(
  (text) => !parseUrl(text)?.username,
  "must not have credentials; use clientId and clientSecret",
);

const KEYS_OF_INTROSPECTION = [
  "clientId",
  "clientSecret",
  "clientSecretFile",
  "introspectionCache",
  "introspectionsPerSecond",
] as const;

const issuer = z
  .strictObject({
    issuer: nonEmpty,
    jwksUri: httpUrl.optional(),
    jwksFile: filePath.optional(),
    introspectionUrl: introspectionUrl.optional(),
    clientId: nonEmpty.optional(),
    clientSecret: nonEmpty.optional(),
    clientSecretFile: filePath.optional(),
    introspectionCache: duration.optional(),
    introspectionsPerSecond: z.number().int().min(1).optional(),
    audience: z.array(nonEmpty).min(1, "must name an audience").optional(),
  })
  .superRefine((values, context) => {
    const problem = (message: string, ...path: (keyof typeof values)[]): void => {
      context.addIssue({ code: "custom", message, path });
    };
    const missing = (...keys: (keyof typeof values)[]) => keys.every((key) => values[key] === undefined);
    if (missing("jwksUri", "jwksFile", "introspectionUrl")) {
      problem("needs jwksUri, jwksFile or introspectionUrl");
    }
    if (!missing("jwksUri") && !missing("jwksFile")) problem("cannot be combined with jwksUri", "jwksFile");
    if (missing("introspectionUrl")) {
      for (const key of KEYS_OF_INTROSPECTION) {
        if (!missing(key)) problem("needs introspectionUrl, which is missing", key);
      }
      return;
    }
    if (missing("clientId")) problem("is required with introspectionUrl", "clientId");
    if (missing("clientSecret", "clientSecretFile")) {
      problem("needs clientSecret or clientSecretFile with introspectionUrl");
    }
    if (!missing("clientSecret") && !missing("clientSecretFile")) {
      problem("cannot be combined with clientSecret", "clientSecretFile");
    }
  });

const pageTokenKey = z
  .string()
  .meta({ title: "base64" })
  .transform((text, context) => {
    const key = Buffer.from(text, "base64");
    if (key.length >= 32 && /^[A-Za-z0-9+/_-]+=*$/.test(text)) return key;
    context.addIssue("must be at least 32 random bytes in base64");
    return z.NEVER;
  });

const EVERY_PROJECT = 'must name projects by id or number, or be "*" for all';

const projectNames = z.union(
  [z.literal("*").transform((all) => [all as string]), z.array(nonEmpty).min(1, EVERY_PROJECT)],
  { error: ({ input }) => (input === undefined ? undefined : EVERY_PROJECT) },
);

const webhook = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, "must have 1 to 63 characters: lowercase letters, digits and hyphens"),
  url: z
    .string()
    .meta({ title: "URL" })
    .refine((text) => {
      const url = parseUrl(text);
      return (
        url !== undefined &&
        isSecure(url) &&
        url.username === "" &&
        url.password === "" &&
        !text.includes("#")
      );
    }, "must be an https URL without credentials and fragment (http only for this machine)"),
  secretFile: filePath,
  projects: projectNames.default(["*"]),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).default(["incidents", "targets"]),
});

const ROLES = { viewer: Role.VIEWER, editor: Role.EDITOR, owner: Role.OWNER } as const;

const forEachService = <Key extends string, Schema>(
  keyOf: (name: ServiceName) => Key,
  schemaOf: (name: ServiceName) => Schema,
): Record<Key, Schema> =>
  Object.fromEntries(SERVICE_NAMES.map((name) => [keyOf(name), schemaOf(name)])) as Record<Key, Schema>;

/** Schema of the config file. Sets the defaults of omitted keys. */
export const configSchema = z.strictObject({
  dataDir: nonEmpty.default("./data"),
  host: nonEmpty.default("127.0.0.1"),
  ...forEachService(portKey, (name) => port.default(SERVICES[name].port)),
  ...forEachService(urlKey, () => baseUrl.optional()),
  adminHost: nonEmpty.default("127.0.0.1"),
  adminPort: port.default(9090),
  admin: z
    .strictObject({ hosts: z.array(hostName).default([]), tokenFile: filePath.optional() })
    .prefault({}),
  drainTime: duration.default(0),
  only: z.enum(SERVICE_NAMES).optional(),
  demo: z.boolean().default(false),
  clock: z.strictObject({ adjustable: z.boolean().default(false), start: instant.optional() }).prefault({}),
  projects: z.array(project).default([]),
  auth: z
    .strictObject({
      scopeBase: httpUrl.default(DEFAULT_SCOPE_BASE),
      localIssuer: z.boolean().default(true),
      issuers: z.array(issuer).default([]),
    })
    .prefault({}),
  access: z
    .array(
      z.strictObject({
        principal: nonEmpty,
        issuer: nonEmpty.optional(),
        projects: projectNames,
        role: z.enum(["viewer", "editor", "owner"]).transform((name) => ROLES[name]),
      }),
    )
    .default([]),
  pageTokens: z
    .strictObject({ mode: z.enum(["strict", "lenient"]).default("strict"), key: pageTokenKey.optional() })
    .prefault({}),
  integrity: integritySchema.prefault({}),
  messagingData: z
    .strictObject({
      settleDelay: duration.default(0),
      retention: z
        .strictObject({ messages: duration.optional(), deliveryData: duration.optional() })
        .prefault({}),
      incidents: z.strictObject({ webhooks: z.array(webhook).default([]) }).prefault({}),
      emulation: emulationSchema.optional(),
      import: z
        .strictObject({
          maxLineBytes: z.number().int().min(256).default(MAX_LINE_BYTES),
          maxRequestBytes: z.number().int().min(1024).default(MAX_IMPORT_BYTES),
          maxConcurrent: z.number().int().min(1).default(MAX_IMPORTS),
          maxDays: z.number().int().min(1).default(MAX_IMPORT_DAYS),
          maxLabels: z.number().int().min(1).default(MAX_PROJECT_LABELS),
          maxApps: z.number().int().min(1).default(MAX_PROJECT_APPS),
          days: z
            .strictObject({
              from: day.default(dayOfCivil(1970, 1, 1)),
              ahead: z.number().int().min(0).default(2),
            })
            .prefault({}),
        })
        .prefault({}),
    })
    .prefault({}),
  store: storeSchema.prefault({}),
  control: controlSchema.prefault({}),
  tls: z.strictObject({ certificate: filePath, key: filePath, clientCa: filePath.optional() }).optional(),
  registry: z
    .strictObject({
      purgeAfter: duration.default(30 * DAY_MS),
      audit: z.strictObject({ retention: duration.default(400 * DAY_MS) }).prefault({}),
    })
    .prefault({}),
  quota: z.strictObject({ requestsPerMinute: z.number().int().min(1).optional() }).prefault({}),
  cors: z.strictObject({ origins: z.array(origin).default([]) }).prefault({}),
  console: consoleSchema.default({}),
  log: z
    .strictObject({ level: z.enum(["debug", "info", "warn", "error", "silent"]).default("info") })
    .prefault({}),
});

/** Content of the config file before validation. */
export type ConfigInput = z.input<typeof configSchema>;

/** A validated config with all defaults. Durations are in milliseconds. */
export type Config = z.output<typeof configSchema>;
