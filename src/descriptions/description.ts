import type { DescService, Registry } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";

/** What an API is described by. */
export interface DescriptionParts {
  /** The contract, with comments. */
  readonly contract: Registry;
  /** The service that is described, of {@link contract}. */
  readonly service: DescService;
  /** What stands before the paths, without a slash at its end: `https://integrity.example.com`. */
  readonly baseUrl: string;
  readonly scopeNames: ScopeNames;
  /** Version of the program that serves the API. */
  readonly programVersion: string;
}
