import { WaybillError } from "../waybill-error.js";

/** Identifies an App Attest configuration, by project and app or by resource name. */
export type AppAttestConfigRef =
  | {
      /** Id or number of the project. */
      readonly project: string;
      /** Id of the app. */
      readonly app: string;
    }
  | {
      /** `projects/{project}/apps/{app}/appAttestConfig` */
      readonly name: string;
    };

/** Identifies an Android app with delivery data, by project and app or by resource name. */
export type AndroidAppRef =
  | {
      /** Id or number of the project. */
      readonly project: string;
      /** Id of the app; `-` stands for all apps of the project (AIP-159). */
      readonly app: string;
    }
  | {
      /** `projects/{project}/androidApps/{app}` */
      readonly parent: string;
    };

/**
 * Returns the resource name of an app's app-attestation configuration,
 * `projects/{project}/apps/{app}/appAttestConfig` (AIP-122).
 *
 * @param project id or number of the project.
 * @example
 * import { appAttestConfigName } from "@waybill/client";
 * console.log(appAttestConfigName("shop", "1:5:ios:aa"));
 */
export function appAttestConfigName(project: string, app: string): string {
  return `projects/${project}/apps/${app}/appAttestConfig`;
}

export function nameOf(ref: AppAttestConfigRef): string {
  return "name" in ref ? ref.name : appAttestConfigName(ref.project, ref.app);
}

export function parentOf(ref: AndroidAppRef): string {
  return "parent" in ref ? ref.parent : `projects/${ref.project}/androidApps/${ref.app}`;
}

/**
 * Encodes a resource name for a URL path.
 *
 * @param pattern expected form, in which `*` matches any id.
 * @throws WaybillError `INVALID_ARGUMENT` if the name does not match, or if an id is `.` or `..`, which URL paths
 * cannot contain.
 */
export function pathOf(name: string | undefined, pattern: string): string {
  const segments = name?.split("/") ?? [];
  const expected = pattern.split("/");
  const fits =
    segments.length === expected.length &&
    segments.every((segment, index) =>
      expected[index] === "*" ? !/^\.{0,2}$/.test(segment) : segment === expected[index],
    );
  if (fits && !/\p{Surrogate}/u.test(segments.join())) return segments.map(encodeURIComponent).join("/");
  throw new WaybillError({
    code: "INVALID_ARGUMENT",
    message: `${name === undefined ? "a missing name" : JSON.stringify(name)} does not match ${pattern}`,
  });
}
