import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { dayOfCivil } from "../../model/day.js";
import { loadConfig } from "./config.js";
import { ConfigError } from "./config-values.js";

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await testDirectory();
  file = join(directory, "waybill.yaml");
});

async function load(yaml: string, flags = {}) {
  await writeFile(file, yaml);
  return loadConfig(file, flags);
}

/** Returns the error message in lines, with the file's path as FILE. */
async function problems(yaml: string): Promise<string[]> {
  const error: unknown = await load(yaml).catch((error: unknown) => error);
  if (!(error instanceof ConfigError)) throw new Error("no ConfigError", { cause: error });
  return error.message.replaceAll(file, "FILE").split("\n");
}

const DEFAULTS = {
  dataDir: "./data",
  host: "127.0.0.1",
  integrityPort: 8080,
  messagingDataPort: 8081,
  adminHost: "127.0.0.1",
  adminPort: 9090,
  admin: { hosts: [] },
  demo: false,
  projects: [],
  auth: { scopeBase: "https://www.googleapis.com/auth", localIssuer: true, issuers: [] },
  access: [],
  pageTokens: { mode: "strict" },
  control: { engine: "files" },
  messagingData: {
    settleDelay: 0,
    retention: {},
    import: {
      maxLineBytes: 8192,
      maxRequestBytes: 67_108_864,
      maxConcurrent: 16,
      maxDays: 1000,
      maxLabels: 100_000,
      maxApps: 10_000,
      days: { from: 0, ahead: 2 },
    },
  },
};

describe("a configuration", () => {
  it("has default values if it is empty", async () => {
    expect(await loadConfig(undefined)).toMatchObject(DEFAULTS);
    for (const yaml of ["", "# nothing yet\n", "{}", "auth: {}\nmessagingData: { import: {} }"]) {
      expect(await load(yaml)).toEqual(await loadConfig(undefined));
    }
  });

  it.each([
    ["demo: true", true, {}],
    ["clock: { adjustable: true }", true, {}],
    ["demo: true", "2026-11-20T12:00:00Z", { start: Date.parse("2026-11-20T12:00:00Z") }],
    [
      "clock: { adjustable: true, start: 2026-01-01T00:00:00Z }",
      "2026-11-20T12:00:00Z",
      { start: Date.parse("2026-11-20T12:00:00Z") },
    ],
  ])("with %s allows the flag --clock %s", async (yaml, clock, expected) => {
    expect((await load(yaml, { clock })).clock).toEqual({ adjustable: true, ...expected });
  });

  it.each(["", "clock: { adjustable: false }", "clock:"])(
    "with %j rejects the flag --clock",
    async (yaml) => {
      await expect(load(yaml, { clock: true })).rejects.toThrow("--clock: needs --demo, or clock.adjustable");
    },
  );

  it("resolves paths of control data relative to its own directory", async () => {
    const yaml = "engine: postgres, url: 'postgres://a@[::1]/c', passwordFile: p, tls: { ca: ../ca.pem }";
    expect((await load(`control: { ${yaml} }`)).control).toEqual({
      engine: "postgres",
      url: "postgres://a@[::1]/c",
      passwordFile: join(directory, "p"),
      tls: { ca: join(directory, "../ca.pem") },
      connections: 8,
    });
  });

  test.each([
    "https://hooks.example.com/a?b=c",
    "http://127.0.0.1:8000/",
    "http://[::1]",
    "http://localhost/a",
  ])("accepts the webhook %s", async (url) => {
    const webhook = `{ name: on-call-1, url: "${url}", secretFile: hook.secret }`;
    const { messagingData } = await load(`messagingData: { incidents: { webhooks: [${webhook}] } }`);
    expect(messagingData.incidents.webhooks).toEqual([
      {
        name: "on-call-1",
        url,
        secretFile: join(directory, "hook.secret"),
        projects: ["*"],
        events: ["incidents", "targets"],
      },
    ]);
  });

  test.each(["'*'", "['*']"])("accepts projects: %s for all projects", async (projects) => {
    const { access } = await load(`access: [{ principal: p, projects: ${projects}, role: viewer }]`);
    expect(access).toEqual([{ principal: "p", projects: ["*"], role: Role.VIEWER }]);
  });

  test.each([
    ["urn:waybill:local", ""],
    ["https://waybill.example.com", "integrityUrl: https://waybill.example.com/"],
    ["https://a", "auth: { localIssuer: false, issuers: [{ issuer: https://a, jwksFile: k }] }"],
  ])("accepts an access rule for the issuer %s", async (issuer, more) => {
    const yaml = `access: [{ principal: p, issuer: "${issuer}", projects: "*", role: viewer }]\n${more}`;
    expect((await load(yaml)).access).toMatchObject([{ principal: "p", issuer }]);
  });

  it("is read from YAML that has every kind of key", async () => {
    const config = await load(`
projects:
  - id: demo-project
    number: "123456789012"
    apps:
      - id: "1:123456789012:ios:0a1b2c3d4e5f"
        appAttestConfig: { tokenTtl: 3600s }
      - id: plain
  - { id: second, number: 42 }
auth:
  scopeBase: https://auth.example.com/scopes
  localIssuer: false
  issuers:
    - { issuer: https://accounts.example.com, jwksUri: https://accounts.example.com/jwks.json, audience: [waybill] }
    - { issuer: file, jwksFile: ./keys/jwks.json }
    - issuer: asked
      introspectionUrl: https://accounts.example.com/introspect
      clientId: waybill
      clientSecretFile: secret
      introspectionCache: 30s
      introspectionsPerSecond: 20
access:
  - { principal: reporter@example.com, projects: [demo-project, "42"], role: viewer }
  - { principal: admin@example.com, projects: ["*"], role: editor }
pageTokens:
  mode: lenient
  key: ${Buffer.alloc(32, 7).toString("base64")}
messagingData:
  settleDelay: 1h30m
  import: { maxLineBytes: 16384, maxDays: 31, days: { from: 2024-02-29, ahead: 0 } }
only: messaging-data
`);
    expect(config).toMatchObject({
      projects: [
        {
          id: "demo-project",
          number: "123456789012",
          apps: [
            {
              id: "1:123456789012:ios:0a1b2c3d4e5f",
              appAttestConfig: { tokenTtl: { seconds: 3600n, nanos: 0 } },
            },
            { id: "plain" },
          ],
        },
        { id: "second", number: "42", apps: [] },
      ],
      auth: {
        scopeBase: "https://auth.example.com/scopes",
        localIssuer: false,
        issuers: [
          { jwksUri: "https://accounts.example.com/jwks.json", audience: ["waybill"] },
          { jwksFile: join(directory, "keys/jwks.json") },
          {
            clientSecretFile: join(directory, "secret"),
            introspectionCache: 30_000,
            introspectionsPerSecond: 20,
          },
        ],
      },
      access: [
        { projects: ["demo-project", "42"], role: Role.VIEWER },
        { projects: ["*"], role: Role.EDITOR },
      ],
      pageTokens: { mode: "lenient", key: Buffer.alloc(32, 7) },
      messagingData: {
        settleDelay: 5_400_000,
        import: {
          maxLineBytes: 16_384,
          maxRequestBytes: 67_108_864,
          maxDays: 31,
          days: { from: dayOfCivil(2024, 2, 29), ahead: 0 },
        },
      },
      only: "messaging-data",
    });
  });

  it("is overridden by flags", async () => {
    const yaml = "host: 0.0.0.0\nintegrityPort: 1\nonly: integrity";
    expect(await load(yaml, { host: "::1", integrityPort: 0, only: "messaging-data" })).toMatchObject({
      host: "::1",
      integrityPort: 0,
      only: "messaging-data",
    });
    expect(await load(yaml, { adminPort: 5 })).toMatchObject({
      host: "0.0.0.0",
      integrityPort: 1,
      adminPort: 5,
    });
  });

  it("contains the demo's project and access rule in addition to its own", async () => {
    const config = await load("projects: [{ id: own, number: 1 }]", { demo: true });
    expect(config.projects.map(({ id }) => id)).toEqual(["own", "demo-project"]);
    expect(config.access).toMatchObject([{ projects: ["demo-project"], role: Role.OWNER }]);
  });

  it("with only the demo makes the demo's principal an owner of all projects", async () => {
    const { projects, access } = await loadConfig(undefined, { demo: true });
    expect(projects).toHaveLength(1);
    expect(access).toMatchObject([{ projects: ["*"], role: Role.OWNER }]);
  });
});

const NUMBER = 'must be a number of up to 18 digits, such as "123456789012"';
const TTL = 'must be a duration from 30 minutes ("1800s") to 7 days ("604800s"), in seconds';

const BAD_HOOK = "must be an https URL without credentials and fragment (http only for this machine)";
const BAD_NAME = "must have 1 to 63 characters: lowercase letters, digits and hyphens";

describe("a webhook is rejected", () => {
  const WEBHOOK = "messagingData.incidents.webhooks[0]";
  const GOOD = { name: "a", url: "https://a.example", secretFile: "s" };

  test.each([
    [{ url: "http://a.example/s3cret" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "http://127.0.0.1.example/s3cret" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "https://s3cret@a.example" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "https://:s3cret@a.example" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "https://a.example/#s3cret" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "file:///s3cret" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: "s3cret" }, `${WEBHOOK}.url: ${BAD_HOOK}`],
    [{ url: undefined }, `${WEBHOOK}.url: is required`],
    [{ name: "" }, `${WEBHOOK}.name: ${BAD_NAME}`],
    [{ name: "../../a" }, `${WEBHOOK}.name: ${BAD_NAME}`],
    [{ name: "a".repeat(64) }, `${WEBHOOK}.name: ${BAD_NAME}`],
    [{ secretFile: undefined }, `${WEBHOOK}.secretFile: is required`],
    [{ secret: "s3cret" }, `${WEBHOOK}.secret: is not a known key`],
  ])("with %j", async (keys, problem) => {
    const webhooks = [{ ...GOOD, ...keys }];
    expect(await problems(JSON.stringify({ messagingData: { incidents: { webhooks } } }))).toEqual([problem]);
  });

  it("with a name that another webhook has", async () => {
    const webhooks = [GOOD, { ...GOOD, url: "https://b.example" }];
    expect(await problems(JSON.stringify({ messagingData: { incidents: { webhooks } } }))).toEqual([
      "messagingData.incidents.webhooks[1].name: a occurs twice",
    ]);
  });
});

describe("a configuration is rejected", () => {
  test.each([
    ["hots: a", "hots: is not a known key"],
    ["1: a", "1: is not a known key"],
    [`? ${"k".repeat(1_000)}\n: a`, `["${"k".repeat(200)}…"]: is not a known key`],
    ["__proto__: a", "__proto__: is not a known key"],
    ["messagingData: { import: { maxLines: 2 } }", "messagingData.import.maxLines: is not a known key"],
    ["projects: [{ id: a, number: 1, name: b }]", "projects[0].name: is not a known key"],
    ["host: 5", "host: must be a string, not a number"],
    ["host: ''", "host: must not be empty"],
    ["integrityPort: '80'", "integrityPort: must be a number, not a string"],
    ["adminPort: 65536", "adminPort: must be at most 65535"],
    ["adminPort: -1", "adminPort: must be at least 0"],
    ["adminHost: ''", "adminHost: must not be empty"],
    ...["''", "'a b'", "'a:80'", "http://a", "me@a", "'[::g]'", "'*'"].map(
      (host) =>
        [
          `admin: { hosts: [${host}] }`,
          "admin.hosts[0]: must be a host without a port, such as waybill.internal",
        ] as const,
    ),
    ["admin: { tokenFile: '' }", "admin.tokenFile: must not be empty"],
    ["registryPort: 8080", "registryPort: 8080 is also the integrityPort"],
    ["messagingDataPort: 9090", "adminPort: 9090 is also the messagingDataPort"],
    ["only: both", 'only: must be "integrity", "messaging-data" or "registry"'],
    ["auth:", "auth: must be an object, not null"],
    ["auth: { scopeBase: ftp://a }", "auth.scopeBase: must be an http or https URL"],
    [
      "auth: { issuers: [{ issuer: a, jwksUri: jwks.json }] }",
      "auth.issuers[0].jwksUri: must be an http or https URL",
    ],
    ["auth: { issuers: [{ issuer: a }] }", "auth.issuers[0]: needs jwksUri, jwksFile or introspectionUrl"],
    [
      "auth: { issuers: [{ issuer: a, jwksUri: 'https://a', jwksFile: b }] }",
      "auth.issuers[0].jwksFile: cannot be combined with jwksUri",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://a', clientSecret: b }] }",
      "auth.issuers[0].clientId: is required with introspectionUrl",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://a', clientId: b }] }",
      "auth.issuers[0]: needs clientSecret or clientSecretFile with introspectionUrl",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://a', clientId: b, clientSecret: c, clientSecretFile: d }] }",
      "auth.issuers[0].clientSecretFile: cannot be combined with clientSecret",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: a, clientId: b, clientSecret: c }] }",
      "auth.issuers[0].introspectionUrl: must be an http or https URL",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://b:c@a', clientId: b, clientSecret: c }] }",
      "auth.issuers[0].introspectionUrl: must not have credentials; use clientId and clientSecret",
    ],
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://a', clientId: b, clientSecret: c, introspectionCache: 1 }] }",
      "auth.issuers[0].introspectionCache: must be a duration such as 90s, 30m or 1h",
    ],
    ...["clientId", "clientSecret", "clientSecretFile"].map((key) => [
      `auth: { issuers: [{ issuer: a, jwksFile: b, ${key}: c }] }`,
      `auth.issuers[0].${key}: needs introspectionUrl, which is missing`,
    ]),
    [
      "auth: { issuers: [{ issuer: a, introspectionUrl: 'https://a', clientId: b, clientSecret: c, introspectionsPerSecond: 0 }] }",
      "auth.issuers[0].introspectionsPerSecond: must be at least 1",
    ],
    [
      "auth: { issuers: [{ issuer: a, jwksFile: b, introspectionCache: 1s }] }",
      "auth.issuers[0].introspectionCache: needs introspectionUrl, which is missing",
    ],
    [
      "auth: { issuers: [{ issuer: 'urn:waybill:local', jwksFile: b }] }",
      "auth.issuers[0].issuer: urn:waybill:local is the local issuer's name; set auth.localIssuer to false to use it for another",
    ],
    [
      "{ integrityUrl: 'https://a/', auth: { issuers: [{ issuer: 'https://a', jwksFile: b }] } }",
      "auth.issuers[0].issuer: https://a is the local issuer's name; set auth.localIssuer to false to use it for another",
    ],
    ["auth: { issuers: [{ jwksFile: b }] }", "auth.issuers[0].issuer: is required"],
    [
      "auth: { issuers: [{ issuer: a, jwksFile: b, audience: [] }] }",
      "auth.issuers[0].audience: must name an audience",
    ],
    [
      "auth: { issuers: [{ issuer: a, jwksFile: b }, { issuer: a, jwksFile: c }] }",
      "auth.issuers[1].issuer: a occurs twice",
    ],
    ["projects: {}", "projects: must be a list, not an object"],
    ...["'17'", "a/b", "'-'", ".", ".."].map((id) => [
      `projects: [{ id: ${id}, number: 1 }]`,
      'projects[0].id: must not be a number, "-", "." or "..", and must not contain slashes or control characters',
    ]),
    ["projects: [{ id: a }]", "projects[0].number: is required"],
    ["projects: [{ id: a, number: true }]", `projects[0].number: ${NUMBER}`],
    ["projects: [{ id: a, number: '012' }]", `projects[0].number: ${NUMBER}`],
    ["projects: [{ id: a, number: 1.5 }]", `projects[0].number: ${NUMBER}`],
    ["projects: [{ id: a, number: 12345678901234567890 }]", `projects[0].number: ${NUMBER}`],
    [
      "demo: true\ntls: { certificate: a, key: b }",
      "tls: cannot be combined with demo, which imports its events without TLS",
    ],
    ["projects: [{ id: a, number: 1 }, { id: a, number: 2 }]", "projects[1].id: a occurs twice"],
    ["projects: [{ id: a, number: 1 }, { id: b, number: '1' }]", "projects[1].number: 1 occurs twice"],
    ...["x/y", "'-'", ".", "..", "''"].map((id) => [
      `projects: [{ id: a, number: 1, apps: [{ id: ${id} }] }]`,
      'projects[0].apps[0].id: must have 1 to 256 characters, no slash and no control characters, and not be "-", "." or ".."',
    ]),
    [
      "projects: [{ id: a, number: 1, apps: [{ id: x }, { id: x }] }]",
      "projects[0].apps[1].id: x occurs twice",
    ],
    ...["3600s later", "1799s", "604801s", "1h", "3600"].map((ttl) => [
      `projects: [{ id: a, number: 1, apps: [{ id: x, appAttestConfig: { tokenTtl: "${ttl}" } }] }]`,
      `projects[0].apps[0].appAttestConfig.tokenTtl: ${TTL}`,
    ]),
    [
      "access: [{ principal: p, projects: ['*'], role: admin }]",
      'access[0].role: must be "viewer", "editor" or "owner"',
    ],
    ...["[]", "shop", '""', "5", "{}"].map((projects) => [
      `access: [{ principal: p, projects: ${projects}, role: viewer }]`,
      'access[0].projects: must name projects by id or number, or be "*" for all',
    ]),
    ...[
      ["access: [{ principal: p, issuer: https://a, projects: '*', role: viewer }]", "https://a"],
      [
        "auth: { localIssuer: false }\naccess: [{ principal: p, issuer: 'urn:waybill:local', projects: '*', role: viewer }]",
        "urn:waybill:local",
      ],
      [
        "auth: { issuers: [{ issuer: https://a, jwksFile: k }] }\naccess: [{ principal: p, issuer: https://a/, projects: '*', role: viewer }]",
        "https://a/",
      ],
    ].map(([yaml, issuer]) => [yaml, `access[0].issuer: there is no issuer ${issuer}`]),
    [
      "access: [{ principal: p, issuer: '', projects: '*', role: viewer }]",
      "access[0].issuer: must not be empty",
    ],
    [
      "access: [{ principal: p, projects: ['*', ''], role: viewer }]",
      "access[0].projects[1]: must not be empty",
    ],
    ["pageTokens: { key: c2hvcnQ= }", "pageTokens.key: must be at least 32 random bytes in base64"],
    [
      "messagingData: { settleDelay: soon }",
      "messagingData.settleDelay: must be a duration such as 90s, 30m or 1h",
    ],
    ...["1970-1-1", "2025-02-29", "0000-01-01", "10000-01-01", "now"].map((from) => [
      `messagingData: { import: { days: { from: "${from}" } } }`,
      'messagingData.import.days.from: must be a date of the years 1 to 9999, such as "1970-01-31"',
    ]),
    [
      "messagingData: { import: { days: { ahead: -1 } } }",
      "messagingData.import.days.ahead: must be at least 0",
    ],
    ["messagingData: { import: { days: { to: 5 } } }", "messagingData.import.days.to: is not a known key"],
    ["messagingData: { import: { maxDays: 0 } }", "messagingData.import.maxDays: must be at least 1"],
    ["messagingData: { import: { maxLabels: 0 } }", "messagingData.import.maxLabels: must be at least 1"],
    [
      "messagingData: { retention: { messages: forever } }",
      "messagingData.retention.messages: must be a duration such as 90s, 30m or 1h",
    ],
    [
      "messagingData: { retention: { messages: 47h } }",
      "messagingData.retention.messages: must be at least 2d longer than messagingData.settleDelay",
    ],
    [
      "messagingData: { settleDelay: 6h, retention: { messages: 54h, deliveryData: 53h } }",
      "messagingData.retention.deliveryData: must be at least 2d longer than messagingData.settleDelay",
    ],
    ["messagingData: { retention: { days: 2d } }", "messagingData.retention.days: is not a known key"],
    ["clock: true", "clock: must be an object, not true or false"],
    ["clock: { start: 2026-11-20T12:00:00Z }", "clock.start: needs adjustable: true"],
    ...["2026-11-20", "1969-12-31T23:59:59Z", "2026-02-30T00:00:00Z", "soon"].map((start) => [
      `clock: { adjustable: true, start: "${start}" }`,
      'clock.start: must be a time of the years 1970 to 9999, such as "2026-11-20T12:00:00Z"',
    ]),
    [
      "clock: { adjustable: true }\ncontrol: { engine: postgres, url: 'postgres://a@b/c' }",
      "clock.adjustable: cannot be combined with control.engine postgres, which shares days between processes",
    ],
    ["store: { memoryLimit: lots }", "store.memoryLimit: must be a size such as 200MB"],
    ["store: { engine: duckdb, memory: 1GB }", "store.memory: is not a known key"],
    ["store: { engine: DuckDB }", "store.engine: must be one of: duckdb, clickhouse"],
    ["store: { engine: [duckdb], threads: 2 }", "store.engine: must be one of: duckdb, clickhouse"],
    [
      "store: { engine: clickhouse, urls: [http://ch1] }",
      "control.engine: must be postgres with store.engine clickhouse, which needs shared control data",
    ],
    ["control: { engine: redis }", "control.engine: must be one of: files, postgres"],
    ["control: { url: 'postgres://a@b/c' }", "control.url: is not a known key"],
    ["control: { engine: postgres }", "control.url: is required"],
    ...[
      ["db.example.com", "must be a URL such as postgres://waybill@db.example.com:5432/waybill"],
      ["https://a@b/c", "must be a URL such as postgres://waybill@db.example.com:5432/waybill"],
      ["postgres:///c", "must be a URL such as postgres://waybill@db.example.com:5432/waybill"],
      ["postgres://a:secret@b/c", "must not have a password; use passwordFile"],
      ["postgres://b/c", "must name a user and a database"],
      ["postgres://a@b", "must name a user and a database"],
      ["postgres://a@b/c?sslmode=disable", "must not have parameters; use the other keys"],
    ].map(([url, problem]): [string, string] => [
      `control: { engine: postgres, url: "${url}" }`,
      `control.url: ${problem}`,
    ]),
    [
      "control: { engine: postgres, url: 'postgres://a@b/c', connections: 1 }",
      "control.connections: must be at least 2",
    ],
    [
      "control: { engine: postgres, url: 'postgres://a@b/c', tls: { key: k } }",
      "control.tls.key: needs certificate, which is missing",
    ],
    ["cors: { origins: [https://a/b] }", "cors.origins[0]: must be an origin such as https://example.com"],
    ["console: 1", "console: must be true, false or keys"],
    ["console: yes please", "console: must be true, false or keys"],
    ["console: { color: red }", "console.color: is not a known key"],
    ["console: { oauth: { clientId: a } }", "console.oauth.issuer: is required"],
    ["console: { oauth: { issuer: https://a } }", "console.oauth.clientId: is required"],
    ...[
      "http://a.example",
      "https://a.example/?b",
      "https://a.example/#b",
      "https://u:p@a.example",
      "ftp://a",
      "a",
    ].map((issuer): [string, string] => [
      `console: { oauth: { issuer: "${issuer}", clientId: a } }`,
      "console.oauth.issuer: must be an https URL without query and fragment (http only for this machine)",
    ]),
    [
      "console: { oauth: { issuer: https://a, clientId: a, origins: [https://b/c] } }",
      "console.oauth.origins[0]: must be an origin such as https://example.com",
    ],
  ] as [string, string][])("%s", async (yaml, problem) => {
    expect(await problems(yaml)).toEqual([problem]);
  });

  it("with escaped control and invisible characters in keys and values", async () => {
    const yaml =
      '"a\\nb": 1\n"": 1\nlog: { "\\ufeff": 1 }\naccess: [{ principal: p, issuer: "x\\ty\\e", projects: ["*"], role: viewer }]';
    expect(await problems(yaml)).toEqual([
      'log["\\ufeff"]: is not a known key',
      '["a\\u000ab"]: is not a known key',
      '[""]: is not a known key',
    ]);
    expect(await problems(yaml.split("\n").slice(3).join("\n"))).toEqual([
      "access[0].issuer: there is no issuer x\\u0009y\\u001b",
    ]);
  });

  it("with one line for each problem", async () => {
    expect(await problems("hots: a\nport: 1\ndemo: 1\naccess: [{}]")).toEqual([
      "demo: must be true or false, not a number",
      "access[0].principal: is required",
      "access[0].projects: is required",
      "access[0].role: is required",
      "hots: is not a known key",
      "port: is not a known key",
    ]);
  });

  test.each([
    [
      "a: [",
      "FILE: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5",
    ],
    ["host: a\nhost: b", "FILE: Map keys must be unique at line 2, column 1"],
    ["? { a: 1 }\n: 1", "FILE: Keys must be strings at line 1, column 3"],
    [`${"? ".repeat(200)}{ a: 1 }`, "FILE: Keys must be strings at line 1, column 401"],
    ["host: *a", "FILE: Unresolved alias (the anchor must be set before the alias): a"],
    ["host: !secret a", "FILE: Unresolved tag: !secret at line 1, column 7"],
    ["host: !!%C3 a", "FILE: Invalid percent escape in a tag at line 1, column 7"],
    ["- host: a", 'FILE: must contain keys and values, such as "host: 127.0.0.1"'],
    ["host", 'FILE: must contain keys and values, such as "host: 127.0.0.1"'],
  ])("with the file name, if the YAML is %j", async (yaml, problem) => {
    expect(await problems(yaml)).toEqual([problem]);
  });

  it("if the file cannot be read", async () => {
    const missing = join(directory, "missing.yaml");
    await expect(loadConfig(missing)).rejects.toThrow(
      new ConfigError(`${missing}: cannot be read: there is no such file or directory`),
    );
    await expect(loadConfig(directory)).rejects.toThrow(ConfigError);
  });

  it("if its aliases expand exponentially", async () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? "a0: &a0 [x]"
        : `a${i}: &a${i} [${Array(9)
            .fill(`*a${i - 1}`)
            .join(", ")}]`,
    );
    expect(await problems(levels.join("\n"))).toEqual([expect.stringMatching(/^FILE: .*alias/)]);
  });
});
