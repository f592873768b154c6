import { type Command, Option } from "commander";
import { CommandFailure } from "../support/command-failure.js";
import { readFlagFile } from "../support/flag-files.js";
import { wholeNumber } from "../support/flag-values.js";
import type { BatchLimits } from "./broker.js";

const parseCount = wholeNumber(1, 999_999_999);

const PASSWORD_VARIABLE = "WAYBILL_BROKER_PASSWORD";

export interface BrokerFlags {
  readonly broker: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly batchMessages: number;
  readonly batchSeconds: number;
  readonly batchBytes?: number;
}

/** Adds the options for all brokers to a command. @param address default address of the broker. */
export function addBrokerOptions(command: Command, address: string): Command {
  return command
    .option("--broker <url>", "address of the broker, without a password", address)
    .option("--user <name>", "user name for the broker")
    .addOption(
      new Option(
        "--password-file <file>",
        `file with the user's password; it is read before each connection. ${PASSWORD_VARIABLE} has the same effect`,
      ),
    )
    .option("--tls-ca <file>", "certificates of the authorities to trust, in PEM")
    .option("--tls-cert <file>", "client certificate, in PEM")
    .option("--tls-key <file>", "private key of the client certificate, in PEM")
    .option("--batch-messages <count>", "maximum number of messages in a batch", parseCount, 1_000)
    .option("--batch-seconds <seconds>", "maximum time to wait until a batch is complete", parseCount, 1)
    .option(
      "--batch-bytes <count>",
      "end a request with the line that reaches this size, in bytes (default: 16 MiB)",
      parseCount,
    );
}

export const batchLimitsOf = ({ batchMessages, batchSeconds }: BrokerFlags): BatchLimits => ({
  messages: batchMessages,
  waitMs: 1_000 * batchSeconds,
});

/**
 * Checks the broker's address. Errors do not show it, because it may contain a password.
 *
 * @param schemes the schemes without and with TLS, such as `nats:` and `tls:`.
 */
export function brokerUrl({ broker }: BrokerFlags, schemes: readonly [string, string]): URL {
  const url = URL.canParse(broker) ? new URL(broker) : undefined;
  if (url === undefined || !schemes.includes(url.protocol))
    throw new CommandFailure(
      `--broker must be an address such as ${schemes.join("// or ")}//broker.example.com`,
    );
  if (url.username !== "" || url.password !== "")
    throw new CommandFailure("--broker must not contain a user or password; use --user and --password-file");
  return url;
}

export interface BrokerUser {
  readonly name: string;
  readonly password: string;
}

/** Returns the user, with the current password. Returns undefined if no user is set. */
export async function brokerUser({ user, passwordFile }: BrokerFlags): Promise<BrokerUser | undefined> {
  if (user === undefined && passwordFile === undefined) return undefined;
  if (user === undefined) throw new CommandFailure("--password-file needs --user");
  const password =
    passwordFile === undefined
      ? process.env[PASSWORD_VARIABLE]
      : (await readFlagFile("--password-file", passwordFile)).trimEnd();
  if (password === undefined)
    throw new CommandFailure(`--user needs a password: set --password-file or ${PASSWORD_VARIABLE}`);
  return { name: user, password };
}

/** Certificates and keys, in PEM. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Reads the current TLS files. Returns undefined if no file is set. */
export async function tlsFiles({ tlsCa, tlsCert, tlsKey }: BrokerFlags): Promise<TlsFiles | undefined> {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new CommandFailure("--tls-cert and --tls-key need each other");
  if (tlsCa === undefined && tlsCert === undefined) return undefined;
  return {
    ...(tlsCa !== undefined && { ca: await readFlagFile("--tls-ca", tlsCa) }),
    ...(tlsCert !== undefined && { cert: await readFlagFile("--tls-cert", tlsCert) }),
    ...(tlsKey !== undefined && { key: await readFlagFile("--tls-key", tlsKey) }),
  };
}
