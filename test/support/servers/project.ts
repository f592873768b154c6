/** The project of most tests; principals are named by their role in it. */
export const PROJECT = { id: "test-project", number: "123456789012" } as const;
export const OTHER_PROJECT = { id: "other-project", number: "210987654321" } as const;
export const IOS_APP = "1:123456789012:ios:0a1b2c3d4e5f";
export const ANDROID_APP = "1:123456789012:android:0a1b2c3d4e5f";
export const EDITOR = "editor@example.com";
export const VIEWER = "viewer@example.com";
export const NO_ROLE = "no-role@example.com";

/** The configuration of most tests. */
export const BASE_CONFIG = {
  projects: [
    { ...PROJECT, apps: [{ id: IOS_APP }, { id: "app-7d", appAttestConfig: { tokenTtl: "604800s" } }] },
    { ...OTHER_PROJECT },
  ],
  access: [
    { principal: EDITOR, projects: [PROJECT.id], role: "editor" },
    { principal: VIEWER, projects: [PROJECT.number], role: "viewer" },
  ],
};
