import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_ERROR_TEXT, MAX_VIOLATION_TEXT, MAX_VIOLATIONS } from "../limits/request-limits.js";

/** One invalid parameter or field of a request (`google.rpc.BadRequest.FieldViolation`). */
export interface FieldViolation {
  /** Path of the field as the caller wrote it, such as `pageSize` or `lines[17].eventType`. */
  readonly field: string;
  /** The problem and the expected value. */
  readonly description: string;
}

export interface ApiErrorInit {
  /** Canonical code. It determines the HTTP status unless {@link httpStatus} is set. */
  readonly code: Code;
  /** `UPPER_SNAKE_CASE` identifier of the cause, unique in the service (AIP-193). */
  readonly reason: string;
  /** Human-readable description of the problem and its remedy. */
  readonly message: string;
  /** Values that vary in {@link message}, in machine-readable form (AIP-193). */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  /** HTTP status, if HTTP has a more specific one than the code implies, such as 405 or 413. */
  readonly httpStatus?: number;
  /** Response headers that the error requires, such as `www-authenticate` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying error. It is logged, but never sent. */
  readonly cause?: unknown;
}

/** HTTP statuses by canonical code, from `google/rpc/code.proto`. */
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

/** Returns the HTTP status of a canonical code, or of `UNKNOWN` for any other number. */
export const httpStatusOf = (code: number): number => HTTP_STATUS[code as Code] ?? HTTP_STATUS[Code.UNKNOWN];

/**
 * The only kind of error that callers receive (AIP-193). Any other thrown error is a server bug. The constructor
 * truncates all strings to their limits. Quote input from callers as an {@link excerpt}, to keep the message readable.
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

  /** Creates an `INVALID_ARGUMENT` error for one request field. */
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

/** Truncates the list of violations to its limits. */
function boundedViolations(violations: readonly FieldViolation[]): FieldViolation[] {
  let room = MAX_VIOLATION_TEXT;
  const reported: FieldViolation[] = [];
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) {
    const field = excerpt(violation.field);
    const description = excerpt(violation.description, MAX_ERROR_TEXT);
    room -= field.length + description.length;
    if (room < 0) break;
    reported.push({ field, description });
  }
  return reported;
}

/** Collects all invalid parameters of a request, to report them in one error. */
export class ParameterViolations {
  readonly #violations: FieldViolation[] = [];
  #reason = "";

  /** @param field parameter name as the caller wrote it. */
  add(reason: string, field: string, description: string): void {
    if (this.#violations.length === 0) this.#reason = reason;
    if (this.#violations.length < MAX_VIOLATIONS)
      this.#violations.push({ field: excerpt(field), description });
  }

  /**
   * @throws ApiError `INVALID_ARGUMENT` if there are violations, with the first violation's reason and a description of
   * each violation.
   */
  throwIfAny(): void {
    const [first, ...others] = this.#violations;
    if (first === undefined) return;
    const alsoInvalid = others.map(({ field }) => field).join(", ");
    throw new ApiError({
      code: Code.INVALID_ARGUMENT,
      reason: this.#reason,
      message: `Invalid ${first.field}: ${first.description}${alsoInvalid && ` (also invalid: ${alsoInvalid})`}`,
      metadata: { ...first, ...(alsoInvalid && { alsoInvalid }) },
      violations: this.#violations,
    });
  }
}
