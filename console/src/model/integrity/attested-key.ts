import type { AttestedKeyJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";

/** A device's key that was attested. */
export interface AttestedKey {
  readonly name: string;
  /** In base64url. */
  readonly id: string;
  readonly isDevelopment: boolean;
  /** Counter of the last assertion; 0 before the first. */
  readonly counter: number;
  /** Milliseconds since the Unix epoch. */
  readonly createTime: number;
}

export const attestedKeyOf = ({
  name = "",
  environment,
  counter = "0",
  createTime = "",
}: AttestedKeyJson): AttestedKey => ({
  name,
  id: name.slice(name.lastIndexOf("/") + 1),
  isDevelopment: environment === "DEVELOPMENT",
  counter: Number(counter),
  createTime: Date.parse(createTime),
});

/** Converts a typed key ID to base64url. Devices show key IDs in base64. */
export const keyIdOf = (text: string): string =>
  text.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
