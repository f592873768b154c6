import { resolve } from "node:path";
import { Command } from "commander";
import { ScopeNames } from "../../auth/scopes.js";
import { DEFAULT_AUDIENCE } from "../../auth/tokens/authenticator.js";
import { openLocalIssuer } from "../../auth/tokens/local-issuer.js";
import { systemClock } from "../../model/clock.js";
import { TOKEN_PATH } from "../../oauth/oauth-routes.js";
import { signSubjectToken } from "../../oauth/subject-token.js";
import { SUBJECT_TOKEN_TYPE } from "../../oauth/token-request.js";
import { Addresses } from "../../server/addresses.js";
import type { Config } from "../../server/config/config-schema.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { writeSecretFile } from "../support/flag-files.js";
import { parseText } from "../support/flag-values.js";
import { type ControlFlags, serverConfig, withControl } from "../support/with-control.js";
import { parseTtl, type ScopeFlag, scopeNamesOf, scopeOption } from "../token.js";
import { credentialKeyCommands } from "./credential-keys.js";

const DEFAULT_TTL = "90d";

const EXAMPLE = `
Example:
  $ waybill credentials create --principal reporter@example.com --out adc.json
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/adc.json`;

interface Options extends ControlFlags {
  readonly principal: string;
  readonly out: string;
  readonly force?: boolean;
  readonly scope?: ScopeFlag[];
  readonly ttl?: number;
  readonly tokenUrl?: string;
}

/** `waybill credentials`: manages credentials that clients exchange for access tokens. */
export function credentialsCommand(): Command {
  const command = new Command("credentials")
    .description("Manage credentials that clients exchange for access tokens, and keys for custom tokens")
    .addCommand(createCommand());
  for (const below of credentialKeyCommands()) command.addCommand(below);
  return command;
}

function createCommand(): Command {
  return new Command("create")
    .description("Write an Application Default Credentials file, signed with the server's local key")
    .requiredOption("--principal <name>", "principal of the credentials", parseText)
    .requiredOption("--out <file>", "output file, readable only by you")
    .option("--force", "replace an existing file")
    .addOption(scopeOption("scope to allow; repeatable (default: all)"))
    .option("--ttl <duration>", `lifetime of the credentials (default: ${DEFAULT_TTL})`, parseTtl)
    .option(
      "--token-url <url>",
      "server's token endpoint (default: from the configuration, or http://127.0.0.1:8080/oauth2/token)",
    )
    .option("--data-dir <dir>", "server's data directory (default: ./data)")
    .option(
      "--config <file>",
      "server's configuration file, for the key's location, addresses and scope base",
    )
    .addHelpText("after", EXAMPLE)
    .action(failClearly(create));
}

async function create(options: Options): Promise<void> {
  const { principal, force = false, ttl = parseTtl(DEFAULT_TTL) } = options;
  const config = await serverConfig(options);
  if (!config.auth.localIssuer) {
    throw new CommandFailure("auth.localIssuer is off: the server would reject the credentials");
  }
  const tokenUrl = options.tokenUrl === undefined ? tokenUrlOf(config) : parseTokenUrl(options.tokenUrl);
  const out = resolve(options.out);
  const subjectToken = await signSubjectToken(
    await withControl(config, ({ records }) => openLocalIssuer(records, systemClock)),
    {
      principal,
      scopes: scopeNamesOf(
        options.scope ?? ["platform", "app-platform"],
        new ScopeNames(config.auth.scopeBase),
      ),
      ttlSeconds: ttl,
    },
  );
  const file = credentialsFile({ tokenUrl, path: out, subjectToken });
  await writeSecretFile(out, `${JSON.stringify(file, undefined, 2)}\n`, { replace: force });
  const end = new Date(Date.now() + ttl * 1_000).toISOString();
  process.stderr.write(
    `Credentials of ${principal}, valid until ${end}, for the token exchange at ${tokenUrl}.\n` +
      "Anyone who can read the file can act as that principal. To use it, set:\n",
  );
  process.stdout.write(`export GOOGLE_APPLICATION_CREDENTIALS=${shellWord(out)}\n`);
}

interface CredentialsFile {
  readonly tokenUrl: string;
  readonly path: string;
  readonly subjectToken: string;
}

/**
 * Creates Application Default Credentials of type `external_account`. Public clients exchange them for tokens at
 * `token_url` (AIP-4117). The file itself contains the subject token, which is usually in a separate file.
 */
function credentialsFile({ tokenUrl, path, subjectToken }: CredentialsFile): object {
  return {
    type: "external_account",
    audience: DEFAULT_AUDIENCE,
    subject_token_type: SUBJECT_TOKEN_TYPE,
    token_url: tokenUrl,
    credential_source: {
      file: path,
      format: { type: "json", subject_token_field_name: "subject_token" },
    },
    subject_token: subjectToken,
  };
}

function tokenUrlOf(config: Config): string {
  const base = new Addresses(config).expectedUrl("integrity");
  if (base !== undefined) return `${base}${TOKEN_PATH}`;
  throw new CommandFailure("integrityPort is 0, so the address is unknown; set --token-url");
}

function parseTokenUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CommandFailure(`--token-url ${text}: must be an http or https URL`);
}

/** Quotes a word for a POSIX shell. */
const shellWord = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
