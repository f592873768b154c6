import { Command, InvalidArgumentError, Option } from "commander";
import { ScopeNames } from "../auth/scopes.js";
import { LOCAL_ISSUER_KEY, openLocalIssuer } from "../auth/tokens/local-issuer.js";
import { removeKey } from "../control/keys.js";
import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { systemClock } from "../model/clock.js";
import { parseDuration } from "../server/config/config-values.js";
import { DEMO_PRINCIPAL } from "../server/config/demo-config.js";
import { failClearly } from "./support/command-failure.js";
import { parseText } from "./support/flag-values.js";
import { type ControlFlags, serverConfig, withControl } from "./support/with-control.js";

const EXAMPLE = `
Example:
  $ waybill token --data-dir ./data --scope platform --principal reporter@example.com --ttl 30m
  $ curl -H "Authorization: Bearer $(waybill token)" http://127.0.0.1:8081/v1beta1/…`;

interface TokenFlags extends ControlFlags {
  readonly scope?: ScopeFlag[];
  readonly principal: string;
  readonly ttl?: number;
  readonly newKey?: true;
}

/** `waybill token`: prints an access token for servers that have the same keys. */
export function tokenCommand(): Command {
  return new Command("token")
    .description("Print an access token, signed with the server's local key")
    .option("--data-dir <dir>", "server's data directory (default: ./data)")
    .option("--config <file>", "server's configuration file, for the key's location and the scope base")
    .addOption(scopeOption("scope of the token; repeatable (default: platform)"))
    .option("--principal <name>", "principal of the token", parseText, DEMO_PRINCIPAL)
    .option("--ttl <duration>", "lifetime of the token, such as 30m or 12h (default: 1h)", parseTtl)
    .option(
      "--new-key",
      "replace the local key first; after a restart of the server, all earlier tokens and credentials are invalid",
    )
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (options: TokenFlags) => {
        const config = await serverConfig(options);
        const names = new ScopeNames(config.auth.scopeBase);
        const issuer = await withControl(config, async ({ records }) => {
          if (options.newKey) await removeKey(records, LOCAL_ISSUER_KEY);
          return openLocalIssuer(records, systemClock);
        });
        const token = await issuer.sign({
          principal: options.principal,
          scopes: scopeNamesOf(options.scope ?? ["platform"], names),
          ttlSeconds: options.ttl ?? 3600,
        });
        process.stdout.write(`${token}\n`);
      }),
    );
}

const SCOPES = { platform: Scope.PLATFORM, "app-platform": Scope.APP_PLATFORM } as const;

export type ScopeFlag = keyof typeof SCOPES;

export function scopeOption(description: string): Option {
  const choices = Object.keys(SCOPES);
  return new Option("--scope <scope>", description)
    .choices(choices)
    .argParser((value: string, previous: string[] | undefined) => {
      if (!(value in SCOPES)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
      return [...(previous ?? []), value];
    });
}

export function scopeNamesOf(scopes: readonly ScopeFlag[], names: ScopeNames): string[] {
  return scopes.map((scope) => names.nameOf(SCOPES[scope]));
}

/** Parses the value of `--ttl`, and returns seconds. */
export function parseTtl(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1000) {
    throw new InvalidArgumentError("It must be a duration of at least a second, such as 30m or 12h.");
  }
  return Math.floor(milliseconds / 1000);
}
