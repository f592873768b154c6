import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/** The server was started without an adjustable clock (409). */
export const clockFixed = (): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    httpStatus: 409,
    reason: "CLOCK_NOT_ADJUSTABLE",
    message:
      "The clock of this server cannot be turned. Start it with --demo --clock, or with clock.adjustable: true in its configuration file.",
  });
