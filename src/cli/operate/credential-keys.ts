import { generateKeyPair } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { Command } from "commander";
import {
  addCredentialKey,
  type CredentialKey,
  listCredentialKeys,
  MAX_CREDENTIAL_KEYS,
  removeCredentialKey,
} from "../../integrity/custom-tokens/credential-keys.js";
import { systemClock } from "../../model/clock.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { writeSecretFile } from "../support/flag-files.js";
import { parseText } from "../support/flag-values.js";
import { print } from "../support/print.js";
import { type Column, TextTable } from "../support/text-table.js";
import {
  type ControlFlags,
  controlConfigOf,
  withControl,
  withControlFlags,
} from "../support/with-control.js";
import { parseTtl } from "../token.js";

const DEFAULT_TTL = "365d";
const MODULUS_BITS = 2_048;

const EXAMPLE = `
Example:
  $ waybill credentials create-key --principal attester@example.com --project shop --out key.json`;

interface CreateFlags extends ControlFlags {
  readonly principal: string;
  readonly project: string;
  readonly out: string;
  readonly force?: boolean;
  readonly ttl?: number;
}

/** Commands for the keys that sign custom tokens. */
export function credentialKeyCommands(): readonly Command[] {
  return [
    withControlFlags(new Command("create-key"))
      .description("Write a service account file with a key that signs custom tokens")
      .requiredOption("--principal <name>", "principal of the key, an editor of the project", parseText)
      .requiredOption("--project <id>", "project id, which Admin SDKs read from the file")
      .requiredOption("--out <file>", "output file, readable only by you")
      .option("--force", "replace an existing file")
      .option("--ttl <duration>", `lifetime of the key (default: ${DEFAULT_TTL})`, parseTtl)
      .addHelpText("after", EXAMPLE)
      .action(failClearly(createKey)),
    withControlFlags(new Command("list-keys"))
      .description("Print the keys that sign custom tokens")
      .action(failClearly(listKeys)),
    withControlFlags(new Command("revoke-key"))
      .description("Remove a key; the server rejects its custom tokens immediately")
      .argument("<kid>", "key id, from waybill credentials list-keys; after -- if it begins with a hyphen")
      .action(failClearly(revokeKey)),
  ];
}

async function createKey(flags: CreateFlags): Promise<void> {
  const { principal, project, force = false, ttl = parseTtl(DEFAULT_TTL) } = flags;
  const config = await controlConfigOf(flags);
  if (!config.auth.localIssuer) {
    throw new CommandFailure("auth.localIssuer is off: the server would reject custom tokens");
  }
  const out = resolve(flags.out);
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  const expireTime = systemClock.wall() + ttl * 1_000;
  await withControl(config, async ({ records }) => {
    const key = await addCredentialKey(records, { principal, expireTime, publicKey });
    if (key === undefined) {
      throw new CommandFailure(`${principal} has ${MAX_CREDENTIAL_KEYS} keys; revoke an unused one`);
    }
    const file = {
      type: "service_account",
      project_id: project,
      private_key_id: key.kid,
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: principal,
    };
    try {
      await writeSecretFile(out, `${JSON.stringify(file, undefined, 2)}\n`, { replace: force });
    } catch (error) {
      // Nobody has the private key, so the key would only count towards the maximum.
      await removeCredentialKey(records, key.kid);
      throw error;
    }
  });
  process.stderr.write(
    `Key of ${principal}, valid until ${isoTime(expireTime)}, in ${out}.\n` +
      "Anyone who can read the file can get app tokens for all apps of the principal's projects.\n",
  );
}

async function listKeys(flags: ControlFlags): Promise<void> {
  const keys = await withControl(await controlConfigOf(flags), ({ records }) => listCredentialKeys(records));
  const table = new TextTable(COLUMNS, keys);
  await print([table.head(), ...keys.map((key) => table.line(key))]);
}

async function revokeKey(kid: string, flags: ControlFlags): Promise<void> {
  const config = await controlConfigOf(flags);
  const isRemoved = await withControl(config, ({ records }) => removeCredentialKey(records, kid));
  if (!isRemoved) {
    throw new CommandFailure(`there is no key ${kid}; list the keys with waybill credentials list-keys`);
  }
  await print([`${kid} is revoked.\n`]);
}

const COLUMNS: readonly Column<CredentialKey>[] = [
  { title: "key", leastWidth: 43, text: ({ kid }) => kid },
  { title: "principal", leastWidth: 12, text: ({ principal }) => principal },
  { title: "expires", leastWidth: 24, text: ({ expireTime }) => isoTime(expireTime) },
];

const isoTime = (time: number): string => new Date(time).toISOString();
