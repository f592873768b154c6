import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { MAX_JOURNAL_LINE_BYTES } from "../../limits/limits.js";
import { isTokenTtl } from "../../model/token-ttl.js";
import type { TokenTtl } from "../app-attest-config-store.js";
import type { JournalLine } from "./journal-file.js";

/** A change of an app-attestation configuration: one line of the journal. */
export interface ChangeRecord {
  /** Unique among all changes. */
  readonly id: string;
  /** Time of the change: RFC 3339, in UTC. */
  readonly time: string;
  /** Name of the caller that made the change. */
  readonly principal: string;
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** Number of this change among those of the app, from 1. */
  readonly revision: number;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /** The value after the change; `undefined` stands for the default. */
  readonly tokenTtl: TokenTtl | undefined;
  /** The value before the change; `undefined` stands for the default. */
  readonly previousTokenTtl: TokenTtl | undefined;
}

// A ProtoJSON duration; null stands for the default.
const tokenTtl = z
  .string()
  .nullable()
  .transform((text, context): TokenTtl | undefined => {
    if (text === null) return undefined;
    try {
      const { seconds, nanos } = fromJson(DurationSchema, text);
      return { seconds, nanos };
    } catch {
      context.addIssue("is not a duration");
      return z.NEVER;
    }
  });

// Ignores fields that later versions add.
const line = z.object({
  id: z.string(),
  time: z.string(),
  principal: z.string(),
  project: z.string(),
  appId: z.string(),
  revision: z.number().int().min(1),
  updateMask: z.string(),
  tokenTtl: tokenTtl.refine(
    (ttl) => ttl === undefined || isTokenTtl(ttl),
    "is not from 30 minutes to 7 days",
  ),
  // The range is not checked, since this value only documents the past.
  previousTokenTtl: tokenTtl,
});

/** Encodes a change as a line, without the line break. */
export function encodeRecord(record: ChangeRecord): string {
  const { tokenTtl, previousTokenTtl } = record;
  return JSON.stringify({
    ...record,
    tokenTtl: durationJson(tokenTtl),
    previousTokenTtl: durationJson(previousTokenTtl),
  });
}

/** Parses a line. @returns the problem, as text, if the line is not a complete change record. */
export function readRecord({ text, end }: JournalLine): ChangeRecord | string {
  if (text.length > MAX_JOURNAL_LINE_BYTES) return `it has ${text.length} characters`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const { data, error } = line.safeParse(json);
  if (error !== undefined) {
    const [issue] = error.issues;
    return `${issue?.path.join(".")}: ${issue?.message}`.replace(/^: /, "");
  }
  // Each change takes at least one byte of the file, which bounds the revision, and with it the next one.
  return data.revision > end ? `revision: there cannot have been ${data.revision} changes` : data;
}

/** Formats a duration as ProtoJSON, such as `3600s`; null if the value is missing. */
export function durationJson(ttl: TokenTtl | undefined): string | null {
  return ttl === undefined ? null : toJson(DurationSchema, create(DurationSchema, ttl));
}
