/** Principal of the demo's token. Also the default principal of `waybill token`. */
export const DEMO_PRINCIPAL = "demo@example.com";

/** Android apps in the demo. They are not registered: the server knows them only from events. */
export const DEMO_ANDROID_APPS = [
  "1:123456789012:android:0a1b2c3d4e5f",
  "1:123456789012:android:1b2c3d4e5f60",
  "1:123456789012:android:2c3d4e5f6071",
] as const;

/** Access rule: the demo's users have a role on all projects, so that they can create their own projects. */
export const DEMO_ACCESS_TO_ALL = { principal: DEMO_PRINCIPAL, projects: ["*"], role: "owner" } as const;

/** Project and access rules that `--demo` adds to the config. */
export const DEMO_CONFIG = {
  projects: [
    {
      id: "demo-project",
      number: "123456789012",
      displayName: "Demo project",
      apps: [
        {
          id: "1:123456789012:ios:0a1b2c3d4e5f",
          displayName: "Demo iOS app",
          bundleId: "com.example.demo",
          teamId: "A1B2C3D4E5",
        },
      ],
    },
  ],
  access: [{ principal: DEMO_PRINCIPAL, projects: ["demo-project"], role: "owner" }],
} as const;
