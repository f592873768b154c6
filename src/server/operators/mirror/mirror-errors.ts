import { ApiError } from "../../../api/api-error.js";
import { Code } from "../../../gen/google/rpc/code_pb.js";

/** The caller is on another machine, or a web page (403). */
export const mirrorRefused = (): ApiError =>
  new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "MIRROR_REFUSED",
    message:
      "Only programs on the server's own machine may begin a round or read answers. Run waybill mirror there.",
  });

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
