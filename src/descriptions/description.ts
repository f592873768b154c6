import type { DescService, Registry } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";

export interface DescriptionParts {
  /** The contract, with comments. */
  readonly contract: Registry;
  /** The service to describe. It must come from {@link contract}. */
  readonly service: DescService;
  /** Prefix of all paths, without a trailing slash, such as `https://integrity.example.com`. */
  readonly baseUrl: string;
  readonly scopeNames: ScopeNames;
  /** Server version. */
  readonly programVersion: string;
}

export interface ApiName {
  /** Short name, such as `integrity`. */
  readonly name: string;
  /** Version, such as `v1`. */
  readonly version: string;
  /** Name in capitals, such as `Integrity`. */
  readonly canonicalName: string;
  /** Title, such as `Waybill Integrity API`. */
  readonly title: string;
}

/**
 * Derives an API's names from its service and package, such as `waybill.integrity.v1.IntegrityService`.
 *
 * @throws Error if the package does not end with a name and a version (AIP-191).
 */
export function apiNameOf(service: DescService): ApiName {
  const { package: packageName } = service.file.proto;
  const parts = /^(?:(\w+)\..*?)?(\w+)\.(v\d\w*)$/.exec(packageName);
  if (parts === null) throw new Error(`${packageName} does not end with a name and a version`);
  const [, product = "", name = "", version = ""] = parts;
  const canonicalName = service.name.replace(/Service$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  const words = [product && `${product.charAt(0).toUpperCase()}${product.slice(1)}`, canonicalName, "API"];
  return { name, version, canonicalName, title: words.filter((word) => word !== "").join(" ") };
}
