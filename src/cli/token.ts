import { Command, InvalidArgumentError, Option } from "commander";
import { openLocalIssuer } from "../auth/local-issuer.js";
import { ScopeNames } from "../auth/scopes.js";
import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { loadConfig } from "../server/config.js";
import { DEMO_PRINCIPAL } from "../server/demo-config.js";
import { parseDuration } from "../server/duration.js";
import { failClearly } from "./fail-clearly.js";

const SCOPES = { platform: Scope.PLATFORM, "app-platform": Scope.APP_PLATFORM } as const;
type ScopeName = keyof typeof SCOPES;

const EXAMPLE = `
Example:
  $ waybill token --data-dir ./data --scope platform --principal reporter@example.com --ttl 30m
  $ curl -H "Authorization: Bearer $(waybill token)" http://127.0.0.1:8081/v1beta1/…`;

/** `waybill token`: prints an access token that servers of the same data directory accept. */
export function tokenCommand(): Command {
  return new Command("token")
    .description("Print an access token, signed by the key of the data directory")
    .option("--data-dir <dir>", "data directory of the server (default: ./data)")
    .option("--config <file>", "configuration of the server, for its data directory and scope base")
    .addOption(
      new Option("--scope <scope>", "scope of the token; repeat for several (default: platform)")
        .choices(Object.keys(SCOPES))
        .argParser((value: string, previous: string[] | undefined) => {
          if (!(value in SCOPES))
            throw new InvalidArgumentError(`Allowed choices are ${Object.keys(SCOPES).join(", ")}.`);
          return [...(previous ?? []), value];
        }),
    )
    .option("--principal <name>", "whom the token speaks for", parsePrincipal, DEMO_PRINCIPAL)
    .option("--ttl <duration>", "how long it is valid, such as 30m or 12h (default: 1h)", parseTtl)
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(
        async (options: {
          dataDir?: string;
          config?: string;
          scope?: ScopeName[];
          principal: string;
          ttl?: number;
        }) => {
          const config = await loadConfig(
            options.config,
            options.dataDir ? { dataDir: options.dataDir } : {},
          );
          const names = new ScopeNames(config.auth.scopeBase);
          const issuer = await openLocalIssuer(config.dataDir);
          const token = await issuer.sign({
            principal: options.principal,
            scopes: (options.scope ?? ["platform"]).map((scope) => names.nameOf(SCOPES[scope])),
            ttlSeconds: options.ttl ?? 3600,
          });
          process.stdout.write(`${token}\n`);
        },
      ),
    );
}

function parsePrincipal(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Name somebody.");
}

function parseTtl(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1000) {
    throw new InvalidArgumentError("Use a duration of at least a second, such as 30m or 12h.");
  }
  return Math.floor(milliseconds / 1000);
}
