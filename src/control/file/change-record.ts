import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { MAX_JOURNAL_LINE_BYTES } from "../../limits/limits.js";
import { isTokenTtl } from "../../model/token-ttl.js";
import type { TokenTtl } from "../app-attest-config-store.js";
import type { JournalLine } from "./journal-file.js";

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

// What later versions add is passed over.
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
  // It says only what was before.
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

/** Reads a line. @returns what is wrong with it if it is none of a change, as one that was cut short is not. */
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
  // Every change took a line, and that its bytes. The next revision is in its bounds then, whatever this one is.
  return data.revision > end ? `revision: there cannot have been ${data.revision} changes` : data;
}

/** The ProtoJSON of a duration, such as `3600s`; null if there is none. */
export function durationJson(ttl: TokenTtl | undefined): string | null {
  return ttl === undefined ? null : toJson(DurationSchema, create(DurationSchema, ttl));
}
