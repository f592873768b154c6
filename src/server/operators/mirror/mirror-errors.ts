import { ApiError } from "../../../api/api-error.js";
import { Code } from "../../../gen/google/rpc/code_pb.js";

/** There is no such project, or its delivery data are no mirror (404). */
export const notMirrored = (project: string | undefined): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "PROJECT_NOT_MIRRORED",
    message:
      project === undefined
        ? "This server mirrors no project: set projects[].deliveryData.source to mirror."
        : "This server mirrors no project of this name: set projects[].deliveryData.source to mirror.",
    ...(project !== undefined && { metadata: { project } }),
  });
