import { create, getOption } from "@bufbuild/protobuf";
import { abortable } from "@waybill/client/support";
import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import { unsupportedMediaType } from "../../api/errors.js";
import type { CallContext } from "../../api/service.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { body } from "../../gen/waybill/media/v1/body_pb.js";
import {
  type ImportMessageEventsRequest,
  ImportMessageEventsRequestSchema,
  type ImportMessageEventsResponse,
  ImportMessageEventsResponseSchema,
  InvalidLineSchema,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { NoSlotError } from "../../limits/limit-wait.js";
import { MAX_SLOW_BODY_MS, MIN_BODY_BYTES_PER_SECOND } from "../../limits/limits.js";
import type { Clock } from "../../model/clock.js";
import type { IsMirrored, NameLimits } from "../../model/names.js";
import { TooManyNamesError } from "../../model/store-error.js";
import type { Appended, MessageEventStore } from "../../store/message-event-store.js";
import { eventsOf, type StateBlock } from "../../store/state-block.js";
import { type AcceptedDays, acceptedAt } from "./accepted-days.js";
import { blocksWithout, withExcessReported } from "./excess-names.js";
import type { ImportShares } from "./import-shares.js";
import { type ParsedImport, parseEvents, type SegmentParser } from "./parse-events.js";
import { type LeastRate, steadyBody } from "./steady-body.js";

const MIN_RATE: LeastRate = {
  bytes: (MIN_BODY_BYTES_PER_SECOND * MAX_SLOW_BODY_MS) / 1000,
  milliseconds: MAX_SLOW_BODY_MS,
};

/**
 * Maximum number of times that an import is stored without the names that the project has no room for. More than one for apps and
 * one for labels only if concurrent imports use up the room.
 */
const MAX_ATTEMPTS = 10;

/** Limits of an import. */
export interface ImportLimits extends NameLimits {
  /** Maximum size of a request after decompression, in bytes. */
  readonly maxRequestBytes: number;
  /** Maximum number of imports that are parsed and stored at the same time; more are refused. */
  readonly maxConcurrent: number;
  /** Days whose events are accepted. */
  readonly days: AcceptedDays;
  /** Maximum number of days among the events of a request. */
  readonly maxDays: number;
}

/** Numbers of events of an import. */
export interface ImportedEvents {
  readonly stored: number;
  /** Events whose device has not opted in. */
  readonly optedOut: number;
  /** Events whose day is sealed. */
  readonly tooLate: number;
  /** Lines that were skipped because they are invalid. */
  readonly invalid: number;
}

/** Dependencies of the handler. */
export interface ImportDependencies {
  readonly store: MessageEventStore;
  readonly parser: SegmentParser;
  readonly limits: ImportLimits;
  readonly shares: ImportShares;
  readonly clock: Clock;
  readonly isMirrored: IsMirrored;
  /** Minimum rate at which bodies must arrive. */
  readonly leastRate?: LeastRate;
  /** Called after events were stored. */
  readonly onImported: (imported: ImportedEvents) => void;
}

/** Outcome of storing an import. */
interface Stored extends Pick<ParsedImport, "invalidLines" | "violations"> {
  /** Number of events of valid lines. */
  readonly events: number;
  readonly tooLate: number;
}

/** Makes the handler of `ImportMessageEvents` (decisions: message events). */
export function importHandler({
  store,
  parser,
  limits,
  shares,
  clock,
  isMirrored,
  leastRate = MIN_RATE,
  onImported,
}: ImportDependencies) {
  /** Stores the events of the lines whose names the project has room for; one with any other is a violation. */
  const storeFitting = async (
    parsed: ParsedImport,
    skipInvalid: boolean,
    append: (blocks: readonly StateBlock[]) => Promise<Appended>,
  ): Promise<Stored> => {
    const excess = { apps: new Set<string>(), labels: new Set<string>() };
    for (let attempt = 1; ; attempt++) {
      const blocks = blocksWithout(excess, parsed);
      try {
        const { tooLate } = await append(blocks);
        const { invalidLines, violations } = withExcessReported(parsed, excess, limits);
        return { events: eventsOf(blocks), tooLate, invalidLines, violations };
      } catch (error) {
        if (!(error instanceof TooManyNamesError)) throw error;
        const { apps, labels } = error.excess;
        for (const app of apps) excess.apps.add(app);
        // Labels that only skipped lines name need no room: labels are rejected once all apps fit.
        if (apps.length === 0 || !skipInvalid) for (const label of labels) excess.labels.add(label);
        if (!skipInvalid) throw invalidEvents(withExcessReported(parsed, excess, limits));
        if (attempt === MAX_ATTEMPTS) throw concurrentNewNames(error);
      }
    }
  };
  return async (
    request: ImportMessageEventsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ImportMessageEventsResponse> => {
    requireNdjson(request.events?.contentType ?? "");
    const { signal, caller } = context;
    const project = caller.project.number;
    if (isMirrored(project)) throw projectIsMirrored(caller.project.id);
    const share = shares.begin({ project, caller: caller.budgetKey });
    if (share === undefined) throw queueFull(limits.maxConcurrent);
    try {
      const body = bounded(steadyBody(context.body, leastRate), limits.maxRequestBytes);
      const days = acceptedAt(clock.wall(), limits.days);
      const admit = (bytes: number): void => {
        if (!share.takePlace() || !share.takeMemory(bytes)) throw queueFull(limits.maxConcurrent);
      };
      const parsed = await abortable(parseEvents(body, parser, { project, days, admit }, signal), signal);
      if (parsed.invalidLines > 0 && !request.skipInvalid) throw invalidEvents(parsed);
      if (parsed.days > limits.maxDays) throw tooManyDays(parsed.days, limits.maxDays);
      const { events, tooLate, invalidLines, violations } = await storeFitting(
        parsed,
        request.skipInvalid,
        (blocks) => store.append(project, blocks, signal),
      );
      const stored = events - tooLate;
      onImported({ stored, optedOut: parsed.optedOut, tooLate, invalid: invalidLines });
      return create(ImportMessageEventsResponseSchema, {
        importedCount: BigInt(stored),
        optedOutCount: BigInt(parsed.optedOut),
        tooLateCount: BigInt(tooLate),
        invalidCount: BigInt(invalidLines),
        invalidLines: violations.map((violation) => create(InvalidLineSchema, violation)),
      });
    } catch (error) {
      throw error instanceof NoSlotError ? queueFull(limits.maxConcurrent, error) : error;
    } finally {
      share.release();
    }
  };
}

const MEDIA_TYPE = getOption(ImportMessageEventsRequestSchema.field.events, body).mediaType;

function requireNdjson(contentType: string): void {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (essence !== MEDIA_TYPE) throw unsupportedMediaType(contentType || undefined, MEDIA_TYPE);
}

async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new ApiError({
        code: Code.INVALID_ARGUMENT,
        httpStatus: 413,
        reason: "REQUEST_TOO_LARGE",
        message: `The events of one request may have at most ${maxBytes} bytes, unpacked: send them in several requests.`,
        metadata: { maxBytes: String(maxBytes) },
      });
    }
    yield chunk;
  }
}

function projectIsMirrored(projectId: string): ApiError {
  return new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "PROJECT_IS_MIRRORED",
    message:
      "The delivery data of this project are a mirror of another service's, and take no events: import them into " +
      "another project.",
    metadata: { project: projectId },
  });
}

function queueFull(maxConcurrent: number, cause?: unknown): ApiError {
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "IMPORT_QUEUE_FULL",
    message: "As many imports as may be are under way already: send this one again after a while.",
    metadata: { maxConcurrent: String(maxConcurrent) },
    headers: { "retry-after": "1" },
    cause,
  });
}

function concurrentNewNames(cause: TooManyNamesError): ApiError {
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "CONCURRENT_NEW_NAMES",
    message:
      `Other imports of the project added labels or apps up to its limits during each of ${MAX_ATTEMPTS} attempts to store ` +
      "the valid lines, so nothing of the request was stored: send it again after a while.",
    metadata: { attempts: String(MAX_ATTEMPTS) },
    headers: { "retry-after": "1" },
    cause,
  });
}

function tooManyDays(days: number, maxDays: number): ApiError {
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "TOO_MANY_DAYS",
    message:
      `The events of one request may be of at most ${maxDays} days, and these are of ${days}, so nothing of the request ` +
      "was stored: send those of each day together.",
    metadata: { dayCount: String(days), maxDays: String(maxDays) },
  });
}

function invalidEvents({ violations: ofLines, invalidLines, lines }: ParsedImport): ApiError {
  const violations = ofLines.map(({ line, field, description }) => ({
    field: field === "" ? `lines[${line}]` : `lines[${line}].${field}`,
    description,
  }));
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "INVALID_MESSAGE_EVENTS",
    message:
      `${invalidLines} of ${lines} lines are not valid events, so nothing of the request was stored: ` +
      `${violations[0]?.field} ${violations[0]?.description}.`,
    metadata: { invalidLineCount: String(invalidLines), lineCount: String(lines) },
    violations,
  });
}
