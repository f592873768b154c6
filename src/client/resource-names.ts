import { WaybillError } from "./waybill-error.js";

/** The app-attestation configuration of an app, by project and app or by its resource name. */
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

/** The Android app whose delivery data is meant, by project and app or by its resource name. */
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

/** The resource name of the app-attestation configuration of an app. */
export function appAttestConfigName(project: string, app: string): string {
  return `projects/${project}/apps/${app}/appAttestConfig`;
}

/** The resource name that is meant. */
export function nameOf(ref: AppAttestConfigRef): string {
  return "name" in ref ? ref.name : appAttestConfigName(ref.project, ref.app);
}

/** The resource name that is meant. */
export function parentOf(ref: AndroidAppRef): string {
  return "parent" in ref ? ref.parent : `projects/${ref.project}/androidApps/${ref.app}`;
}

/**
 * A resource name as part of a URL.
 * @param pattern what it has to look like; `*` is any id.
 * @throws WaybillError `INVALID_ARGUMENT` if it does not, or if an id is `.` or `..`, which URLs cannot hold.
 */
export function pathOf(name: string, pattern: string): string {
  const segments = name.split("/");
  const expected = pattern.split("/");
  const fits =
    segments.length === expected.length &&
    segments.every((segment, index) =>
      expected[index] === "*" ? !/^\.{0,2}$/.test(segment) : segment === expected[index],
    );
  if (fits && !/\p{Surrogate}/u.test(name)) return segments.map(encodeURIComponent).join("/");
  throw new WaybillError({
    code: "INVALID_ARGUMENT",
    message: `${JSON.stringify(name)} is not a name like ${pattern}`,
  });
}
