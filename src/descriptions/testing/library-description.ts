import { createRegistry } from "@bufbuild/protobuf";
import { ScopeNames } from "../../auth/scopes.js";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.js";
import {
  file_waybill_testing_v1_library,
  LibraryService,
} from "../../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import type { DescriptionParts } from "../description.js";

/** Description input for the library service of the transcoding tests. */
export const LIBRARY: DescriptionParts = {
  contract: createRegistry(file_waybill_testing_v1_library, file_google_rpc_error_details),
  service: LibraryService,
  baseUrl: "https://library.example.com/api",
  scopeNames: new ScopeNames(),
  programVersion: "1.2.3",
};
