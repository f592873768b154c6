import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import type { TokenTtl } from "../app-attest-config-store.js";

/** One change of an app-attestation configuration: one line of the journal. */
export interface ChangeRecord {
  /** Tells it from all others. */
  readonly id: string;
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** Who changed it. */
  readonly principal: string;
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** Counts the changes of one app, from 1. */
  readonly revision: number;
  /** What the change was about, as ProtoJSON has a field mask, or `*`. */
  readonly updateMask: string;
  /** The value after the change; the default if undefined. */
  readonly tokenTtl: TokenTtl | undefined;
  /** The value before it. */
  readonly previousTokenTtl: TokenTtl | undefined;
}

// As ProtoJSON; null is the default.
const tokenTtl = z
  .string()
  .nullable()
  .transform((text): TokenTtl | undefined => {
    if (text === null) return undefined;
    const { seconds, nanos } = fromJson(DurationSchema, text);
    return { seconds, nanos };
  });

// What later versions add is passed over.
const line = z.object({
  id: z.string(),
  time: z.string(),
  principal: z.string(),
  project: z.string(),
  appId: z.string(),
  revision: z.number().int().min(1),
  updateMask: z.string(),
  tokenTtl,
  previousTokenTtl: tokenTtl,
});

/** Makes the line of a change, without its line break. */
export function encodeRecord(record: ChangeRecord): string {
  const { tokenTtl, previousTokenTtl } = record;
  return JSON.stringify({
    ...record,
    tokenTtl: durationJson(tokenTtl),
    previousTokenTtl: durationJson(previousTokenTtl),
  });
}

/** Reads a line; undefined if it is none of a change, as one that was cut short is not. */
export function parseRecord(text: string): ChangeRecord | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The ProtoJSON of a duration, such as `3600s`; null if there is none. */
export function durationJson(ttl: TokenTtl | undefined): string | null {
  return ttl === undefined ? null : toJson(DurationSchema, create(DurationSchema, ttl));
}
