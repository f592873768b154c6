import type { DescService, Registry } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";

/** Input of an API description. */
export interface DescriptionParts {
  /** The contract, with comments. */
  readonly contract: Registry;
  /** Described service, from {@link contract}. */
  readonly service: DescService;
  /** Prefix of all paths, without a trailing slash: `https://integrity.example.com`. */
  readonly baseUrl: string;
  readonly scopeNames: ScopeNames;
  /** Server version. */
  readonly programVersion: string;
}

/** Names of an API. */
export interface ApiName {
  /** `integrity` */
  readonly name: string;
  /** `v1` */
  readonly version: string;
  /** `Integrity` */
  readonly canonicalName: string;
  /** `Waybill Integrity API` */
  readonly title: string;
}

/**
 * Derives an API's names from its service and package: `waybill.integrity.v1.IntegrityService`.
 *
 * @throws Error if the package does not end in a name and a version (AIP-191).
 */
export function apiNameOf(service: DescService): ApiName {
  const { package: packageName } = service.file.proto;
  const parts = /^(?:(\w+)\..*?)?(\w+)\.(v\d\w*)$/.exec(packageName);
  if (parts === null) throw new Error(`${packageName} does not end in a name and a version`);
  const [, product = "", name = "", version = ""] = parts;
  const canonicalName = service.name.replace(/Service$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  const words = [product && `${product.charAt(0).toUpperCase()}${product.slice(1)}`, canonicalName, "API"];
  return { name, version, canonicalName, title: words.filter((word) => word !== "").join(" ") };
}
