import { ok } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { loadConfig } from "../../src/server/config/config.js";
import { ConfigError } from "../../src/server/config/config-values.js";
import { DEMO_CONFIG } from "../../src/server/config/demo-config.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

let directory: string;

/** A key path or the file name, then the problem. */
const LINE = /^\S.*?: .+$/u;

/** Any file is accepted as a configuration, or rejected with lines that each name a key and its problem. */
export const configFile: FuzzTarget = {
  name: "config-file",
  boundedInputs: 400,
  seeds: [
    stringify(DEMO_CONFIG),
    `projects:
  - id: demo-project
    number: "123456789012"
    apps: [{ id: "1:1:ios:a", appAttestConfig: { tokenTtl: 3600s } }]
auth:
  issuers:
    - { issuer: https://a.example, jwksUri: https://a.example/jwks.json, audience: [waybill] }
    - { issuer: https://b.example, introspectionUrl: https://b.example/i, clientId: c, clientSecret: s, introspectionCache: 1m }
access:
  - { principal: a@example.com, projects: ["*"], role: viewer }
`,
    "host: 0.0.0.0\nintegrityPort: 0\nonly: integrity\ndemo: true\nlog: { level: debug }\nquota: { requestsPerMinute: 60 }",
    `pageTokens: { mode: lenient, key: ${Buffer.alloc(32, 1).toString("base64")} }
messagingData:
  settleDelay: 1h30m
  import: { maxLineBytes: 8192, maxRequestBytes: 65536, maxConcurrent: 2 }
store: { engine: duckdb, memoryLimit: 320MB, threads: 2 }
tls: { certificate: a.pem, key: b.pem, clientCa: c.pem }
cors: { origins: [https://a.example] }
integrityUrl: https://a.example/api/
console: {}
`,
    "messagingData: { emulation: { preset: original, seed: 7, window: off, delay: { min: 1d, max: 4d }, rounding: 2, errors: 0.5 } }",
    "a: &a [1, 2]\nb: [*a, *a, *a]\n<<: { host: x }",
    "a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]",
    "- a list",
    "text",
    "a: b: c",
    "\t",
    "? [complex]\n: key\n!!binary abc\n--- \n...\n---\n",
    "__proto__: { host: x }\nconstructor: 1",
    '"unclosed',
  ],
  words: [
    ...["projects:", "apps:", "id:", "number:", "auth:", "issuers:", "issuer:", "access:", "principal:"],
    ...["role:", "viewer"],
    ...["appAttestConfig:", "tokenTtl:", "3600s", "jwksUri:", "jwksFile:", "introspectionUrl:"],
    ...["audience:", "console:"],
    ...["messagingData:", "import:", "maxLineBytes:", "settleDelay:", "emulation:", "preset:", "delay:"],
    ...["sampling:", "off", "store:", "tls:", "cors:", "origins:", "log:", "level:"],
    ...["\n", "\n  ", "\n  - ", "- ", ": ", "[", "]", "{", "}", ",", "&a ", "*a", "<<: ", "!!int "],
    ...["!x ", "| ", ">-", "#", "---", "..."],
    ...["'", '"', "~", "null", "true", ".inf", ".nan", "0o7", "2026-03-08", "? ", "\t", "%YAML 1.1"],
    ...["\u0000", "\u2028"],
  ],
  async start() {
    directory = mkdtempSync(join(tmpdir(), "waybill-fuzz-"));
  },
  async stop() {
    rmSync(directory, { recursive: true });
  },
  async run(input) {
    const file = join(directory, "waybill.yaml");
    writeFileSync(file, input);
    const warnings: unknown[] = [];
    const { emitWarning } = process;
    process.emitWarning = (warning: unknown) => void warnings.push(warning);
    try {
      await loadConfig(file);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      checkLines(error.message);
    } finally {
      process.emitWarning = emitWarning;
    }
    ok(warnings.length === 0, `warns beside the configuration: ${warnings[0]}`);
  },
};

function checkLines(message: string): void {
  ok(message.length < 100_000, `a message of ${message.length} characters`);
  for (const line of message.split("\n")) {
    ok(LINE.test(line), `an unclear line: ${line.slice(0, 300)}`);
    ok(!/\[object |^\s+at |Error: /.test(line), `an unclear line: ${line.slice(0, 300)}`);
  }
}
