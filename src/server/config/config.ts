import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseDocument } from "yaml";
import type * as z from "zod";
import { LOCAL_ISSUER } from "../../auth/tokens/local-issuer.js";
import { withPathsFrom } from "../../control/config-parts.js";
import { isShared, SHARED_ENGINES } from "../../control/engines.js";
import { escaped, excerpt } from "../../limits/excerpt.js";
import { DAY_MS } from "../../model/clock.js";
import { systemReason } from "../../model/system-error.js";
import { schemaProblem, YAML_OPTIONS, yamlProblem } from "../../presentation/schema-problem.js";
import { storeNeedsLedger } from "../../store/engines.js";
import { type Config, type ConfigInput, configSchema } from "./config-schema.js";
import { ConfigError } from "./config-values.js";
import { DEMO_ACCESS_TO_ALL, DEMO_CONFIG } from "./demo-config.js";
import { type PortKey, portKey, SERVICE_NAMES } from "./services.js";

/** Config keys that `waybill serve` accepts as flags. */
export interface ConfigFlags
  extends Partial<Pick<ConfigInput, "dataDir" | "host" | PortKey | "adminPort" | "only" | "demo">> {
  /** Makes the clock adjustable. A string sets the initial time. */
  readonly clock?: string | true;
}

/**
 * Reads the config file, if any. Flags override its keys.
 *
 * @throws ConfigError that lists every unknown key and invalid value.
 */
export async function loadConfig(
  file: string | undefined,
  { clock, ...flags }: ConfigFlags = {},
): Promise<Config> {
  const ofFile: Record<string, unknown> = file === undefined ? {} : await readYaml(file);
  const keys = { ...ofFile, ...flags };
  const merged = clock === undefined ? keys : withClock(keys, clock);
  return validate(merged.demo === true ? withDemo(merged) : merged, file === undefined ? "." : dirname(file));
}

async function readYaml(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new ConfigError(`${file}: cannot be read: ${systemReason(cause) ?? String(cause)}`, { cause });
  }
  const value: unknown = parseYaml(file, text) ?? {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(`${file}: must contain keys and values, such as "host: 127.0.0.1"`);
  }
  return value as Record<string, unknown>;
}

function parseYaml(file: string, text: string): unknown {
  try {
    const document = parseDocument(text, YAML_OPTIONS);
    // A YAML warning means that a value would be misread, for example because of an unknown tag.
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS();
  } catch (cause) {
    throw new ConfigError(escaped(`${file}: ${yamlProblem(cause as Error)}`), { cause });
  }
}

/**
 * Adds the demo's project and access rules. If the config has no other projects and rules, the demo's principal owns
 * all projects, including projects that the principal creates.
 */
function withDemo(keys: Record<string, unknown>): Record<string, unknown> {
  const { projects = [], access = [] } = keys;
  const extend = (value: unknown, more: readonly unknown[]) =>
    Array.isArray(value) ? [...value, ...more] : value;
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return {
    ...keys,
    projects: extend(projects, DEMO_CONFIG.projects),
    access: extend(access, isEmpty(projects) && isEmpty(access) ? [DEMO_ACCESS_TO_ALL] : DEMO_CONFIG.access),
  };
}

/** Applies the flag `--clock`. @throws ConfigError if the file disables the adjustable clock. */
function withClock(keys: Record<string, unknown>, flag: string | true): Record<string, unknown> {
  const settings: { adjustable?: unknown } = keys.clock ?? {};
  // The schema reports such a value, together with all other problems.
  if (typeof settings !== "object") return keys;
  if (keys.demo !== true && settings.adjustable !== true) {
    throw new ConfigError(
      "--clock: needs --demo, or clock.adjustable: true in the configuration file; setting the clock ahead can permanently delete days",
    );
  }
  return { ...keys, clock: { ...settings, adjustable: true, ...(flag !== true && { start: flag }) } };
}

/** Validates the config and sets defaults. @param directory base directory of relative paths. */
function validate(input: unknown, directory: string): Config {
  const result = withPathsFrom(directory, () => configSchema.safeParse(input, { error: schemaProblem }));
  const problems = result.success ? inconsistencies(result.data) : result.error.issues.flatMap(describe);
  if (!result.success || problems.length > 0) throw new ConfigError(problems.map(escaped).join("\n"));
  return result.data;
}

function describe(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${pathOf([...issue.path, key])}: is not a known key`);
  }
  if (issue.code === "invalid_union") {
    // If a value matches no variant of a union, reports the most similar variant's problems.
    const within = issue.errors.find((issues) => issues.some(isInside));
    if (within !== undefined) {
      return within.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }));
    }
  }
  return [`${pathOf(issue.path)}: ${issue.message}`];
}

const isInside = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === "unrecognized_keys" || path.length > 0;

/** Formats a path as `auth.issuers[0].jwksUri`. */
function pathOf(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      const key = excerpt(String(part));
      return /^[\w$-]+$/.test(key) ? `.${key}` : `["${key}"]`;
    })
    .join("");
  return text.replace(/^\./, "") || "configuration";
}

/**
 * Returns true if an issuer is the local one: it has the local issuer's fixed name, or the app-integrity service's
 * address.
 */
export function isLocalIssuer({ auth, integrityUrl }: Config, issuer: string | undefined): boolean {
  return auth.localIssuer && issuer !== undefined && (issuer === LOCAL_ISSUER || issuer === integrityUrl);
}

/** Minimum time that a day must remain listed before retention removes it: two days, in milliseconds. */
const MIN_RETENTION = 2 * DAY_MS;

/**
 * Returns problems of the retention config. Each day must be listed for some time before it is removed. Events of today
 * must be accepted even if the clock is wrong by a day.
 */
function retentionProblems({ messagingData: { retention, settleDelay } }: Config): string[] {
  const keys = ["messages", "deliveryData"] as const;
  const tooShort = keys.filter(
    (key) => (retention[key] ?? Number.POSITIVE_INFINITY) < settleDelay + MIN_RETENTION,
  );
  return tooShort.map(
    (key) => `messagingData.retention.${key}: must be at least 2d longer than messagingData.settleDelay`,
  );
}

/** Returns a problem for each port that two listeners of this process would share. */
function portProblems({ only, host, adminHost, ...config }: Config): string[] {
  const services = only === undefined ? SERVICE_NAMES : [only];
  const listeners = [
    ...services.map((name) => ({ key: portKey(name), at: host, port: config[portKey(name)] })),
    { key: "adminPort", at: adminHost, port: config.adminPort },
  ];
  return listeners.flatMap(({ key, at, port }, index) => {
    const other = listeners.slice(0, index).find((one) => one.port === port && one.at === at);
    return other === undefined || port === 0 ? [] : [`${key}: ${port} is also the ${other.key}`];
  });
}

/** Returns contradictions between values, such as duplicate names and references to undefined names. */
function inconsistencies(config: Config): string[] {
  const { projects, access, auth, demo, tls, store, control, clock } = config;
  const { webhooks } = config.messagingData.incidents;
  const problems = [...portProblems(config), ...retentionProblems(config)];
  const isControlShared = isShared(control);
  if (storeNeedsLedger(store) && !isControlShared) {
    problems.push(
      `control.engine: must be ${SHARED_ENGINES} with store.engine ${store.engine}, which needs shared control data`,
    );
  }
  if (clock.start !== undefined && !clock.adjustable) problems.push("clock.start: needs adjustable: true");
  if (clock.adjustable && isControlShared) {
    problems.push(
      `clock.adjustable: cannot be combined with control.engine ${control.engine}, which shares days between processes`,
    );
  }
  if (demo && tls !== undefined) {
    problems.push("tls: cannot be combined with demo, which imports its events without TLS");
  }
  const unique = (names: readonly string[], path: (index: number) => string): void => {
    names.forEach((name, index) => {
      if (names.indexOf(name) < index) problems.push(`${path(index)}: ${name} occurs twice`);
    });
  };
  unique(
    projects.map(({ id }) => id),
    (index) => `projects[${index}].id`,
  );
  unique(
    projects.map(({ number }) => number),
    (index) => `projects[${index}].number`,
  );
  unique(
    auth.issuers.map(({ issuer }) => issuer),
    (index) => `auth.issuers[${index}].issuer`,
  );
  auth.issuers.forEach(({ issuer }, index) => {
    if (isLocalIssuer(config, issuer)) {
      problems.push(
        `auth.issuers[${index}].issuer: ${issuer} is the local issuer's name; set auth.localIssuer to false to use it for another`,
      );
    }
  });
  projects.forEach(({ apps }, index) => {
    unique(
      apps.map(({ id }) => id),
      (app) => `projects[${index}].apps[${app}].id`,
    );
  });
  access.forEach(({ issuer }, index) => {
    const isKnown = isLocalIssuer(config, issuer) || auth.issuers.some((known) => known.issuer === issuer);
    if (issuer !== undefined && !isKnown)
      problems.push(`access[${index}].issuer: there is no issuer ${issuer}`);
  });
  unique(
    webhooks.map(({ name }) => name),
    (index) => `messagingData.incidents.webhooks[${index}].name`,
  );
  return problems;
}
