/** Principal of the demo's token, and the default principal of `waybill token`. */
export const DEMO_PRINCIPAL = "demo@example.com";

/** The demo's Android apps. They are not registered, and the server knows them only from events. */
export const DEMO_ANDROID_APPS = [
  "1:123456789012:android:0a1b2c3d4e5f",
  "1:123456789012:android:1b2c3d4e5f60",
  "1:123456789012:android:2c3d4e5f6071",
] as const;

/** The project that `--demo` adds, and its access rules. */
export const DEMO_CONFIG = {
  projects: [
    { id: "demo-project", number: "123456789012", apps: [{ id: "1:123456789012:ios:0a1b2c3d4e5f" }] },
  ],
  access: [{ principal: DEMO_PRINCIPAL, projects: ["demo-project"], role: "editor" }],
} as const;
