import { describe, expect, it } from "vitest";
import { auditEntryOf } from "./audit.js";

describe("auditEntryOf", () => {
  it("names the change, and shows values before and after", () => {
    const entry = auditEntryOf({
      name: "projects/5/auditEntries/7-a",
      time: "2026-11-25T14:00:00.500Z",
      method: "UpdateIosApp",
      resource: "projects/5/apps/a",
      principal: "ada@example.com",
      issuer: "urn:waybill:local",
      remoteAddress: "192.0.2.1",
      changes: [
        { field: "displayName", before: '"Shop"', after: '"Store"' },
        { field: "appUrls", after: '["https://example.com"]' },
      ],
    });
    expect(entry).toMatchObject({ title: "iOS app changed", time: Date.UTC(2026, 10, 25, 14, 0, 0, 500) });
    expect(entry.lines).toEqual([
      { field: "displayName", before: "Shop", after: "Store" },
      { field: "appUrls", before: undefined, after: '["https://example.com"]' },
    ]);
  });

  it("shows changed members of a policy only", () => {
    const bindings = (...members: string[]) => JSON.stringify([{ role: "roles/viewer", members }]);
    const changes = [
      { field: "bindings", before: bindings("user:a", "user:b"), after: bindings("user:b", "user:c") },
    ];
    expect(auditEntryOf({ method: "SetIamPolicy", changes }).lines).toEqual([
      { field: "access", before: "viewer user:a", after: undefined },
      { field: "access", before: undefined, after: "viewer user:c" },
    ]);
  });

  it("names an unknown method as it is", () => {
    expect(auditEntryOf({ method: "RotateKeys" })).toMatchObject({ title: "RotateKeys", lines: [] });
  });
});
