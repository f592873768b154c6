import { Command, InvalidArgumentError, Option } from "commander";
import { APPLE_ROOT } from "../../integrity/attestation/apple-root.js";
import type { Verification } from "../../integrity/attestation/steps.js";
import { verifyAssertion } from "../../integrity/attestation/verify-assertion.js";
import {
  ATTESTATION_ENVIRONMENTS,
  type AttestationEnvironment,
  sha256,
  verifyAttestation,
} from "../../integrity/attestation/verify-attestation.js";
import { escaped } from "../../limits/excerpt.js";
import { parseTime } from "../list/filter.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { readBinaryFile } from "../support/flag-files.js";
import { wholeNumber } from "../support/flag-values.js";
import { formatOption } from "../support/page-formats.js";
import { print } from "../support/print.js";
import { decodeBase64, readObjectFile, readPublicKeyFile, readRootFile } from "./attest-files.js";

const EXAMPLE = `
Examples:
  $ waybill attest verify --app-id TEAM123456.com.example.app --attestation attestation.b64 \\
      --challenge "$CHALLENGE" --key-id "$KEY_ID"
  $ waybill attest verify --app-id TEAM123456.com.example.app --assertion assertion.b64 \\
      --public-key key.pem --client-data client-data.bin --counter 7

Files contain the bytes or their base64. The command needs neither a server nor a network.`;

interface AttestFlags {
  readonly appId: string;
  readonly attestation?: string;
  readonly challenge?: Buffer;
  readonly keyId?: Buffer;
  readonly clientDataHash?: Buffer;
  readonly at?: string;
  readonly environment?: readonly AttestationEnvironment[];
  readonly root?: string;
  readonly assertion?: string;
  readonly publicKey?: string;
  readonly clientData?: string;
  readonly counter?: number;
  readonly format: keyof typeof FORMATS;
}

type Outcome = Verification<string, object>;

const FORMATS = {
  text: ({ steps }: Outcome): string => {
    const width = Math.max(...steps.map(({ name }) => name.length));
    return steps
      .map(({ name, ok, expected, found }) => {
        const detail = ok ? found : `expected ${expected}; found ${found}`;
        return `${ok ? "ok    " : "failed"}  ${name.padEnd(width)}  ${escaped(detail)}\n`;
      })
      .join("");
  },
  json: (outcome: Outcome): string => {
    const { ok, steps } = outcome;
    return `${JSON.stringify({ ok, steps, ...(outcome.ok && outcome.verified) }, textOfBytes, 2)}\n`;
  },
};

/** Converts bytes to base64 in JSON output. */
const textOfBytes = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

/** `waybill attest`: commands for debugging a device or writing a client. */
export function attestCommand(): Command {
  return new Command("attest").description("Debug App Attest").addCommand(verifyCommand());
}

function verifyCommand(): Command {
  return new Command("verify")
    .description("Verify an App Attest attestation or assertion offline, step by step")
    .requiredOption("--app-id <id>", "team id, a dot, and bundle id", parseAppId)
    .option("--attestation <file>", "attestation object from a device")
    .option("--challenge <base64>", "challenge of the attestation", parseBytes)
    .option("--key-id <base64>", "key id that the device sent", parseBytes)
    .option("--client-data-hash <base64>", "SHA-256, instead of --challenge or --client-data", parseHash)
    .option("--at <time>", "time at which the certificates must be valid (default: now)", parseTime)
    .addOption(
      new Option("--environment <name>", "accepted environment; repeatable (default: production)")
        .choices(ATTESTATION_ENVIRONMENTS)
        .argParser(parseEnvironment),
    )
    .option("--root <file>", "root certificate instead of Apple's, in PEM or DER")
    .option("--assertion <file>", "assertion from a device")
    .option("--public-key <file>", "public key of the attestation, in PEM or DER")
    .option("--client-data <file>", "client data of the assertion")
    .option(
      "--counter <number>",
      "counter of the previous assertion (default: 0)",
      wholeNumber(0, 0xffff_ffff),
    )
    .addOption(formatOption(FORMATS))
    .addHelpText("after", EXAMPLE)
    .action(failClearly(verify));
}

async function verify(flags: AttestFlags): Promise<void> {
  const { attestation, assertion } = flags;
  if ((attestation === undefined) === (assertion === undefined))
    throw new CommandFailure("set either --attestation or --assertion");
  const outcome: Outcome =
    attestation === undefined ? await assertionOutcome(flags) : await attestationOutcome(flags);
  await print([FORMATS[flags.format](outcome)]);
  const object = attestation === undefined ? "assertion" : "attestation";
  if (!outcome.ok) throw new CommandFailure(`the ${object} is not valid: ${outcome.failed.name}`);
}

async function attestationOutcome(flags: AttestFlags): Promise<Outcome> {
  rejectFlags(flags, "--attestation", ["publicKey", "clientData", "counter"]);
  const { at, challenge, root } = flags;
  if (challenge !== undefined && flags.clientDataHash !== undefined)
    throw new CommandFailure("set either --challenge or --client-data-hash");
  return verifyAttestation({
    attestation: await readObjectFile("--attestation", required(flags, "attestation")),
    clientDataHash:
      challenge === undefined ? required(flags, "clientDataHash", "--challenge") : sha256(challenge),
    keyId: required(flags, "keyId"),
    appId: flags.appId,
    environments: flags.environment ?? ["production"],
    root: root === undefined ? APPLE_ROOT : await readRootFile("--root", root),
    at: at === undefined ? Date.now() : Date.parse(at),
  });
}

async function assertionOutcome(flags: AttestFlags): Promise<Outcome> {
  rejectFlags(flags, "--assertion", ["challenge", "keyId", "at", "environment", "root"]);
  const { appId, counter = 0 } = flags;
  const assertion = await readObjectFile("--assertion", required(flags, "assertion"));
  const publicKey = await readPublicKeyFile("--public-key", required(flags, "publicKey"));
  const [first, ...others] = await Promise.all(
    (await clientDataHashes(flags)).map((clientDataHash) =>
      verifyAssertion({ assertion, clientDataHash, publicKey, appId, counter }),
    ),
  );
  if (first === undefined) throw new Error("no client data");
  // Client data may look like base64 without being base64. The signature decides which of the two was signed.
  return [first, ...others].find(isSigned) ?? first;
}

const isSigned = ({ steps }: Outcome): boolean => steps.some(({ name, ok }) => name === "signature" && ok);

/** Hashes the client data: the file content and, if it can be base64, the decoded content. */
async function clientDataHashes(flags: AttestFlags): Promise<Buffer[]> {
  const { clientData, clientDataHash } = flags;
  if (clientData === undefined) return [required(flags, "clientDataHash", "--client-data")];
  if (clientDataHash !== undefined)
    throw new CommandFailure("set either --client-data or --client-data-hash");
  const bytes = await readBinaryFile("--client-data", clientData);
  const decoded = decodeBase64(bytes.toString("latin1"));
  return [bytes, ...(decoded === undefined ? [] : [decoded])].map((data) => sha256(data));
}

/** Returns a flag's value. @throws CommandFailure if the flag is not set. */
function required<Name extends keyof AttestFlags>(
  flags: AttestFlags,
  name: Name,
  flag = flagOf(name),
): NonNullable<AttestFlags[Name]> {
  const value = flags[name];
  if (value === undefined) throw new CommandFailure(`${flag} is required`);
  return value;
}

function rejectFlags(flags: AttestFlags, object: string, names: readonly (keyof AttestFlags)[]): void {
  const found = names.find((name) => flags[name] !== undefined);
  if (found !== undefined) throw new CommandFailure(`${flagOf(found)} does not apply to ${object}`);
}

const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function parseAppId(text: string): string {
  if (/^[^.\s]+\.\S+$/.test(text)) return text;
  throw new InvalidArgumentError("It must be a team id, a dot, and a bundle id.");
}

function parseBytes(text: string): Buffer {
  const bytes = decodeBase64(text);
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError("It must be base64.");
}

function parseHash(text: string): Buffer {
  const bytes = parseBytes(text);
  if (bytes.length === 32) return bytes;
  throw new InvalidArgumentError(`It must have 32 bytes, not ${bytes.length}.`);
}

function parseEnvironment(
  text: string,
  others: readonly AttestationEnvironment[] = [],
): readonly AttestationEnvironment[] {
  const environment = ATTESTATION_ENVIRONMENTS.find((name) => name === text);
  if (environment !== undefined) return [...others, environment];
  throw new InvalidArgumentError(`Allowed choices are ${ATTESTATION_ENVIRONMENTS.join(", ")}.`);
}
