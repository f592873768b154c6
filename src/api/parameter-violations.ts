import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_VIOLATIONS } from "../limits/limits.js";
import { ApiError, type FieldViolation } from "./api-error.js";

/** Collects the violations in the parameters of one request, to report all of them at once. */
export class ParameterViolations {
  readonly #violations: FieldViolation[] = [];
  #reason = "";

  /** @param field name of the parameter as the caller wrote it. */
  add(reason: string, field: string, description: string): void {
    if (this.#violations.length === 0) this.#reason = reason;
    // An error reports no more than these.
    if (this.#violations.length < MAX_VIOLATIONS)
      this.#violations.push({ field: excerpt(field), description });
  }

  /** @throws ApiError `INVALID_ARGUMENT` with the reason of the first violation and a description of each. */
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
