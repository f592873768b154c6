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
import { MAX_SLOW_BODY_MS, MIN_BODY_BYTES_PER_SECOND } from "../../limits/data-limits.js";
import { NoSlotError } from "../../limits/limit-wait.js";
import type { Clock } from "../../model/clock.js";
import type { IsMirrored, NameLimits } from "../../model/names.js";
import { TooManyNamesError } from "../../model/store-error.js";
import type { Appended, MessageEventStore } from "../../store/message-event-store.js";
import { eventsOf, type StateBlock } from "../../store/state-block.js";
import { inStep } from "../../telemetry/tracing.js";
import { type AcceptedDays, acceptedAt } from "./event-time.js";
import { blocksWithout, withExcessReported } from "./excess-names.js";
import type { ImportShares } from "./import-shares.js";
import {
  freeColumns,
  limitedBody,
  type MinRate,
  type ParsedImport,
  parseEvents,
  type SegmentParser,
} from "./parse-events.js";

const MEDIA_TYPE = getOption(ImportMessageEventsRequestSchema.field.events, body).mediaType;

const MIN_RATE: MinRate = {
  bytes: (MIN_BODY_BYTES_PER_SECOND * MAX_SLOW_BODY_MS) / 1000,
  milliseconds: MAX_SLOW_BODY_MS,
};

/**
 * Maximum number of attempts to store an import after leaving out names that exceed the project's limits. Usually, two
 * additional attempts suffice: one without excess apps, one without excess labels. Concurrent imports can make more
 * attempts necessary.
 */
const MAX_ATTEMPTS = 10;

export interface ImportLimits extends NameLimits {
  /** Maximum size of a request after decompression, in bytes. */
  readonly maxRequestBytes: number;
  /** Maximum number of concurrent imports. Further imports are rejected. */
  readonly maxConcurrent: number;
  readonly days: AcceptedDays;
  /** Maximum number of distinct days in a request. */
  readonly maxDays: number;
}

/** Numbers of events in an import, by outcome. */
export interface ImportedEvents {
  readonly stored: number;
  /** Number of events from devices that have not opted in. */
  readonly optedOut: number;
  /** Number of events on sealed days. */
  readonly tooLate: number;
  /** Number of invalid lines that were skipped. */
  readonly invalid: number;
}

export interface ImportDependencies {
  readonly store: MessageEventStore;
  readonly parser: SegmentParser;
  readonly limits: ImportLimits;
  readonly shares: ImportShares;
  readonly clock: Clock;
  readonly isMirrored: IsMirrored;
  /** Minimum rate at which request bodies must arrive. */
  readonly minRate?: MinRate;
  /** Called after a request's events were stored. */
  readonly onImported: (imported: ImportedEvents) => void;
}

/** Result of storing a request's events. */
interface Stored extends Pick<ParsedImport, "invalidLines" | "violations"> {
  /** Number of events in valid lines. */
  readonly events: number;
  readonly tooLate: number;
}

export function importHandler({
  store,
  parser,
  limits,
  shares,
  clock,
  isMirrored,
  minRate = MIN_RATE,
  onImported,
}: ImportDependencies) {
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
      const chunks = limitedBody(context.body, limits.maxRequestBytes, minRate);
      const days = acceptedAt(clock.wall(), limits.days);
      const admit = (bytes: number): void => {
        if (!share.reservePlace() || !share.reserveMemory(bytes)) throw queueFull(limits.maxConcurrent);
      };
      const parsed = await abortable(parseEvents(chunks, parser, { project, days, admit }, signal), signal);
      if (parsed.invalidLines > 0 && !request.skipInvalid) throw invalidEvents(parsed);
      if (parsed.days > limits.maxDays) throw tooManyDays(parsed.days, limits.maxDays);
      const append = async (blocks: readonly StateBlock[]): Promise<Appended> => {
        // The upload may have lasted long, and the role may have been removed since.
        await caller.recheckAccess();
        if (isMirrored(project)) throw projectIsMirrored(caller.project.id);
        return store.append(project, blocks, signal);
      };
      const attributes = { "waybill.lines": parsed.lines, "waybill.days": parsed.days };
      const { events, tooLate, invalidLines, violations } = await inStep("import", attributes, () =>
        storeFitting(parsed, request.skipInvalid, limits, append),
      );
      // If storing fails, the store may still be reading them, for example after its call was aborted.
      freeColumns(parsed);
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

/**
 * Stores events. If names exceed the project's limits, their lines become violations, and the other lines are stored.
 */
async function storeFitting(
  parsed: ParsedImport,
  skipInvalid: boolean,
  limits: ImportLimits,
  append: (blocks: readonly StateBlock[]) => Promise<Appended>,
): Promise<Stored> {
  const excess = { apps: new Set<string>(), labels: new Set<string>() };
  let blocks: readonly StateBlock[] = parsed.parts.map(({ block }) => block);
  let reported = parsed;
  for (let attempt = 1; ; attempt++) {
    try {
      const { tooLate } = await append(blocks);
      const { invalidLines, violations } = reported;
      return { events: eventsOf(blocks), tooLate, invalidLines, violations };
    } catch (error) {
      if (!(error instanceof TooManyNamesError)) throw error;
      const { apps, labels } = error.excess;
      for (const app of apps) excess.apps.add(app);
      // Labels in skipped lines do not count. Excess labels are therefore determined after the lines with excess apps
      // are left out.
      if (apps.length === 0 || !skipInvalid) for (const label of labels) excess.labels.add(label);
      reported = withExcessReported(parsed, excess, limits);
      if (!skipInvalid) throw invalidEvents(reported);
      if (attempt === MAX_ATTEMPTS) throw concurrentNewNames(error);
      blocks = blocksWithout(excess, parsed);
    }
  }
}

/** @throws ApiError `UNSUPPORTED_MEDIA_TYPE` if the content type is not NDJSON. */
function requireNdjson(contentType: string): void {
  const [essence = ""] = contentType.split(";", 1);
  if (essence.trim().toLowerCase() !== MEDIA_TYPE)
    throw unsupportedMediaType(contentType || undefined, MEDIA_TYPE);
}

function projectIsMirrored(projectId: string): ApiError {
  return new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "PROJECT_IS_MIRRORED",
    message:
      "This project mirrors the delivery data of another service and accepts no events: import them into another " +
      "project.",
    metadata: { project: projectId },
  });
}

function queueFull(maxConcurrent: number, cause?: unknown): ApiError {
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "IMPORT_QUEUE_FULL",
    message: "Too many imports are running. Send the request again in a moment.",
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
      "the valid lines, so nothing was stored: retry after a while.",
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
      `The events of one request may span at most ${maxDays} days, and these span ${days}, so nothing was stored: ` +
      "send the events of each day together.",
    metadata: { dayCount: String(days), maxDays: String(maxDays) },
  });
}

function invalidEvents({ violations: ofLines, invalidLines, lines }: ParsedImport): ApiError {
  const violations = ofLines.map(({ line, field, description }) => ({
    field: field === "" ? `lines[${line}]` : `lines[${line}].${field}`,
    description,
  }));
  const [first] = violations;
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "INVALID_MESSAGE_EVENTS",
    message:
      `${invalidLines} of ${lines} lines are not valid events, so nothing of the request was stored: ` +
      `${first?.field} ${first?.description}.`,
    metadata: { invalidLineCount: String(invalidLines), lineCount: String(lines), ...first },
    violations,
  });
}
