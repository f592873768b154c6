import type { AttestationFailureJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";

/** An exchange that an app token was not issued for. */
export interface Failure {
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly provider: string;
  readonly step: string;
  readonly expected: string;
  readonly found: string;
}

export const failureOf = ({
  name = "",
  time = "",
  provider = "",
  step = "",
  expected = "",
  found = "",
}: AttestationFailureJson): Failure => ({ name, time: Date.parse(time), provider, step, expected, found });

/** Explanation of a failed step. */
export interface StepText {
  /** What happened, in a few words. */
  readonly title: string;
  /** Meaning and usual cause, in one or two sentences. */
  readonly meaning: string;
  /** Address of the docs page, relative to the console. */
  readonly docs: string;
}

const VERIFICATION = "../docs/guides/verify-app-attest#failed-steps";
const EXCHANGE = "../docs/guides/attest-ios-apps#if-it-fails";

const DAMAGED = "The bytes cannot be read. They may be cut off, decoded twice, or made up.";
const OTHER_KEY = "All parts must belong to one key. This one belongs to another key of the device.";

/** Explanations of the steps of all providers, by step. */
export const STEPS: Readonly<Record<string, StepText>> = {
  format: { title: "Damaged object", meaning: DAMAGED, docs: VERIFICATION },
  authenticator_data: { title: "Damaged authenticator data", meaning: DAMAGED, docs: VERIFICATION },
  extensions: { title: "Damaged extensions", meaning: DAMAGED, docs: VERIFICATION },
  certificates: {
    title: "Unexpected certificates",
    meaning:
      "An attestation has two certificates: the key's, and Apple's intermediate. A simulator or another program may have made it.",
    docs: VERIFICATION,
  },
  certificate_path: {
    title: "Certificates not from Apple",
    meaning:
      "Apple's root certificate does not vouch for the key. A simulator or another program may have made the attestation.",
    docs: VERIFICATION,
  },
  certificate_dates: {
    title: "Expired certificate",
    meaning:
      "A certificate is not valid at the server's time. The device may have sent an old attestation, or a clock is wrong.",
    docs: VERIFICATION,
  },
  nonce: {
    title: "Another challenge was signed",
    meaning:
      "The device must sign the SHA-256 digest of its challenge. It signed another challenge, or another hash.",
    docs: VERIFICATION,
  },
  key_id: { title: "Another key ID", meaning: OTHER_KEY, docs: VERIFICATION },
  credential_id: { title: "Another credential ID", meaning: OTHER_KEY, docs: VERIFICATION },
  public_key: { title: "Another public key", meaning: OTHER_KEY, docs: VERIFICATION },
  rp_id_hash: {
    title: "Another app",
    meaning:
      "The object belongs to an app with a different team ID or bundle ID than the registered ones. App extensions and App Clips have their own bundle IDs.",
    docs: VERIFICATION,
  },
  signature: {
    title: "Wrong signature",
    meaning:
      "The attested key did not sign this challenge and artifact. Another device may have sent the assertion.",
    docs: VERIFICATION,
  },
  counter: {
    title: "Counter did not increase",
    meaning:
      "Each assertion has a higher counter than the last one. This one was sent twice, or a newer one arrived first.",
    docs: VERIFICATION,
  },
  environment: {
    title: "Environment not allowed",
    meaning: "The key was attested in the development environment, and the app allows production only.",
    docs: EXCHANGE,
  },
  app: {
    title: "App not ready for App Attest",
    meaning: "App Attest needs an iOS app that is registered with its team ID and bundle ID.",
    docs: EXCHANGE,
  },
  challenge: {
    title: "Challenge not usable",
    meaning:
      "A challenge can be used once, by one app, within five minutes. This one was used before, has expired, or belongs to another app.",
    docs: EXCHANGE,
  },
  artifact: {
    title: "Artifact of another app",
    meaning: "The server did not issue this artifact to the app. The device must attest again.",
    docs: EXCHANGE,
  },
  attested_key: {
    title: "Revoked key",
    meaning: "The key was revoked, or never attested. The device must attest a new key.",
    docs: EXCHANGE,
  },
  debug_token: {
    title: "Unknown debug token",
    meaning:
      "The app has no debug token with this secret. It may have been deleted or mistyped, or belong to another app.",
    docs: "../docs/guides/debug-tokens#create-and-exchange",
  },
  custom_token: {
    title: "Invalid custom token",
    meaning: "An editor's key must sign a custom token, for this app and for at most an hour.",
    docs: "../docs/guides/verify-tokens#custom-tokens",
  },
};

/** Explains a step. A newer server may have steps that this page does not know. */
export const stepText = (step: string): StepText =>
  STEPS[step] ?? {
    title: `Failed step: ${step}`,
    meaning: "The exchange failed at this step.",
    docs: EXCHANGE,
  };
