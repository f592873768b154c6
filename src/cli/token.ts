import { Command } from "commander";
import { ScopeNames } from "../auth/scopes.js";
import { openLocalIssuer } from "../auth/tokens/local-issuer.js";
import { systemClock } from "../model/clock.js";
import { loadConfig } from "../server/config/config.js";
import { DEMO_PRINCIPAL } from "../server/config/demo-config.js";
import { failClearly } from "./support/fail-clearly.js";
import { namesOf, parsePrincipal, parseTtl, type ScopeFlag, scopeOption } from "./support/token-flags.js";
import { withControl } from "./support/with-control.js";

const EXAMPLE = `
Example:
  $ waybill token --data-dir ./data --scope platform --principal reporter@example.com --ttl 30m
  $ curl -H "Authorization: Bearer $(waybill token)" http://127.0.0.1:8081/v1beta1/…`;

/** `waybill token`: prints an access token that servers with the same keys accept. */
export function tokenCommand(): Command {
  return new Command("token")
    .description("Print an access token, signed by the local key of the server")
    .option("--data-dir <dir>", "data directory of the server (default: ./data)")
    .option(
      "--config <file>",
      "configuration file of the server, for the place of the key and the scope base",
    )
    .addOption(scopeOption("scope of the token; repeat for several (default: platform)"))
    .option("--principal <name>", "principal of the token", parsePrincipal, DEMO_PRINCIPAL)
    .option("--ttl <duration>", "lifetime of the token, such as 30m or 12h (default: 1h)", parseTtl)
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(
        async (options: {
          dataDir?: string;
          config?: string;
          scope?: ScopeFlag[];
          principal: string;
          ttl?: number;
        }) => {
          const config = await loadConfig(
            options.config,
            options.dataDir ? { dataDir: options.dataDir } : {},
          );
          const names = new ScopeNames(config.auth.scopeBase);
          const issuer = await withControl(config, ({ keys }) => openLocalIssuer(keys, systemClock));
          const token = await issuer.sign({
            principal: options.principal,
            scopes: namesOf(options.scope ?? ["platform"], names),
            ttlSeconds: options.ttl ?? 3600,
          });
          process.stdout.write(`${token}\n`);
        },
      ),
    );
}
