import type { DescService, Registry } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";

/** Input for the description of an API. */
export interface DescriptionParts {
  /** The contract, with comments. */
  readonly contract: Registry;
  /** The described service, from {@link contract}. */
  readonly service: DescService;
  /** Prefix of the paths, without a trailing slash: `https://integrity.example.com`. */
  readonly baseUrl: string;
  readonly scopeNames: ScopeNames;
  /** Version of the program that serves the API. */
  readonly programVersion: string;
}
