import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_ERROR_TEXT, MAX_VIOLATION_TEXT, MAX_VIOLATIONS } from "../limits/limits.js";

/** One parameter or field of a request that is wrong (`google.rpc.BadRequest.FieldViolation`). */
export interface FieldViolation {
  /** Path of the field as the caller wrote it, such as `pageSize` or `lines[17].eventType`. */
  readonly field: string;
  /** What is wrong and what would be right. */
  readonly description: string;
}

/** What an {@link ApiError} is made of. */
export interface ApiErrorInit {
  /** Canonical code; decides the HTTP status unless {@link httpStatus} is given. */
  readonly code: Code;
  /** `UPPER_SNAKE_CASE` identifier of the cause, unique in the service (AIP-193). */
  readonly reason: string;
  /** What was wrong and what to do about it, for a person. */
  readonly message: string;
  /** Whatever varies in {@link message}, for a program (AIP-193). */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  /** Where HTTP has a more exact status than the code's own, such as 405 or 413. */
  readonly httpStatus?: number;
  /** Response headers that belong to the failure, such as `www-authenticate` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What happened inside. It is logged and never sent. */
  readonly cause?: unknown;
}

/** The HTTP status of each canonical code, as the comments of `google/rpc/code.proto` map them. */
const HTTP_STATUS: Readonly<Record<Code, number>> = {
  [Code.OK]: 200,
  [Code.CANCELLED]: 499,
  [Code.UNKNOWN]: 500,
  [Code.INVALID_ARGUMENT]: 400,
  [Code.DEADLINE_EXCEEDED]: 504,
  [Code.NOT_FOUND]: 404,
  [Code.ALREADY_EXISTS]: 409,
  [Code.PERMISSION_DENIED]: 403,
  [Code.UNAUTHENTICATED]: 401,
  [Code.RESOURCE_EXHAUSTED]: 429,
  [Code.FAILED_PRECONDITION]: 400,
  [Code.ABORTED]: 409,
  [Code.OUT_OF_RANGE]: 400,
  [Code.UNIMPLEMENTED]: 501,
  [Code.INTERNAL]: 500,
  [Code.UNAVAILABLE]: 503,
  [Code.DATA_LOSS]: 500,
};

/** The HTTP status of a canonical code; that of `UNKNOWN` for a number that is none. */
export const httpStatusOf = (code: number): number => HTTP_STATUS[code as Code] ?? HTTP_STATUS[Code.UNKNOWN];

/**
 * The one type of failure that a caller sees (AIP-193). Everything else that is thrown is a fault of ours. Its texts are cut
 * to what may be said, whatever the caller wrote; whoever repeats a caller's text takes an {@link excerpt} of it, so that
 * the rest of the message can be read.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: Code;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(init: ApiErrorInit) {
    super(excerpt(init.message, MAX_ERROR_TEXT), { cause: init.cause });
    this.code = init.code;
    this.reason = init.reason;
    this.metadata = boundedMetadata(init.metadata ?? {});
    this.violations = boundedViolations(init.violations ?? []);
    this.httpStatus = init.httpStatus ?? httpStatusOf(init.code);
    this.headers = init.headers ?? {};
  }

  /** An `INVALID_ARGUMENT` about one field of the request. */
  static invalidArgument(reason: string, field: string, description: string): ApiError {
    return new ApiError({
      code: Code.INVALID_ARGUMENT,
      reason,
      message: `Invalid ${excerpt(field)}: ${description}`,
      metadata: { field, description },
      violations: [{ field, description }],
    });
  }
}

const boundedMetadata = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, excerpt(value, MAX_ERROR_TEXT)]));

/** The first violations, as many as may be told. */
function boundedViolations(violations: readonly FieldViolation[]): FieldViolation[] {
  let room = MAX_VIOLATION_TEXT;
  const told: FieldViolation[] = [];
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) {
    const field = excerpt(violation.field);
    const description = excerpt(violation.description, MAX_ERROR_TEXT);
    room -= field.length + description.length;
    if (room < 0) break;
    told.push({ field, description });
  }
  return told;
}
