import type { ParameterViolations } from "../../api/api-error.js";
import type { AndroidApp, IosApp, WebApp } from "../../gen/waybill/registry/v1/registry_pb.js";
import { excerpt } from "../../limits/excerpt.js";
import type { AppValues } from "../entries.js";

const MAX_DISPLAY_NAME = 63;
const MAX_APP_URLS = 50;
const MAX_URL_LENGTH = 2_048;

/** Values of an app for which nothing is set. */
const NONE: AppValues = { displayName: "", namespace: "", teamId: "", appStoreId: "", appUrls: [] };

/** Reads a requested iOS app's values. @param fields the fields to check, by their names in the contract. */
export function checkIosApp(
  app: IosApp | undefined,
  fields: ReadonlySet<string>,
  violations: ParameterViolations,
): AppValues {
  const { displayName = "", bundleId = "", appStoreId = "", teamId = "" } = app ?? {};
  checkDisplayName(displayName, fields, violations);
  if (fields.has("bundle_id") && !/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,153}[A-Za-z0-9])?$/.test(bundleId)) {
    const description = "must have 1 to 155 letters, digits, hyphens and periods, such as com.example.app";
    violations.add("INVALID_BUNDLE_ID", "bundleId", shown(bundleId, description));
  }
  if (fields.has("app_store_id") && !/^\d{0,20}$/.test(appStoreId)) {
    violations.add(
      "INVALID_APP_STORE_ID",
      "appStoreId",
      shown(appStoreId, "must be a number, such as 123456789"),
    );
  }
  if (fields.has("team_id") && !/^(?:[A-Z0-9]{10})?$/.test(teamId)) {
    const description = "must have 10 uppercase letters and digits, such as A1B2C3D4E5";
    violations.add("INVALID_TEAM_ID", "teamId", shown(teamId, description));
  }
  return { ...NONE, displayName, namespace: bundleId, appStoreId, teamId };
}

/** Reads the requested values for an Android app. @param fields the same as in {@link checkIosApp}. */
export function checkAndroidApp(
  app: AndroidApp | undefined,
  fields: ReadonlySet<string>,
  violations: ParameterViolations,
): AppValues {
  const { displayName = "", packageName = "" } = app ?? {};
  checkDisplayName(displayName, fields, violations);
  const isPackage = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(packageName) && packageName.length <= 255;
  if (fields.has("package_name") && !isPackage) {
    const description = "must be a package name of up to 255 characters, such as com.example.app";
    violations.add("INVALID_PACKAGE_NAME", "packageName", shown(packageName, description));
  }
  return { ...NONE, displayName, namespace: packageName };
}

/** Reads the requested values for a web app. @param fields the same as in {@link checkIosApp}. */
export function checkWebApp(
  app: WebApp | undefined,
  fields: ReadonlySet<string>,
  violations: ParameterViolations,
): AppValues {
  const { displayName = "", appUrls = [] } = app ?? {};
  checkDisplayName(displayName, fields, violations);
  if (fields.has("app_urls")) {
    if (appUrls.length > MAX_APP_URLS) {
      const description = `has ${appUrls.length} addresses; the maximum is ${MAX_APP_URLS}`;
      violations.add("INVALID_APP_URL", "appUrls", description);
    }
    for (const [index, url] of appUrls.slice(0, MAX_APP_URLS).entries()) {
      if (isWebUrl(url)) continue;
      violations.add("INVALID_APP_URL", `appUrls[${index}]`, shown(url, "must be an http or https URL"));
    }
  }
  return { ...NONE, displayName, appUrls };
}

function checkDisplayName(name: string, fields: ReadonlySet<string>, violations: ParameterViolations): void {
  if (!fields.has("display_name")) return;
  if ([...name].length <= MAX_DISPLAY_NAME && !/[\p{Cc}\p{Surrogate}]/u.test(name)) return;
  const description = `must have at most ${MAX_DISPLAY_NAME} characters, without control characters`;
  violations.add("INVALID_DISPLAY_NAME", "displayName", description);
}

function isWebUrl(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  return ["http:", "https:"].includes(new URL(text).protocol);
}

const shown = (value: string, description: string): string =>
  value === "" ? `is required: ${description}` : `${excerpt(JSON.stringify(value))} ${description}`;
