import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "./api-error.js";
import { type MaskFields, readUpdateMask } from "./update-mask.js";

const FIELDS: MaskFields = {
  changeable: ["display_name", "team_id"],
  immutable: ["name"],
  outputOnly: ["state", "etag"],
};

const read = (paths: readonly string[] | undefined, isRequired = false): readonly string[] => [
  ...readUpdateMask(paths && create(FieldMaskSchema, { paths: [...paths] }), FIELDS, isRequired),
];

describe("readUpdateMask", () => {
  test.each([
    [["display_name"], ["display_name"]],
    [
      ["displayName", "display_name", "team_id"],
      ["display_name", "team_id"],
    ],
    [["*"], ["display_name", "team_id"]],
    [
      ["*", "team_id"],
      ["display_name", "team_id"],
    ],
    [[], []],
    [undefined, []],
  ])("reads the mask %j as %j", (paths, fields) => {
    expect(read(paths)).toEqual(fields);
  });

  test.each([
    [["name"], "IMMUTABLE_FIELD", "name"],
    [["state"], "OUTPUT_ONLY_FIELD", "state"],
    [["etag"], "OUTPUT_ONLY_FIELD", "send it with the resource"],
    [["displayname"], "UNKNOWN_FIELD", "displayName, teamId or *"],
    [["display_name.x"], "UNKNOWN_FIELD", "display_name.x"],
    [["constructor"], "UNKNOWN_FIELD", "constructor"],
    [[""], "UNKNOWN_FIELD", '""'],
    [["*", "other"], "UNKNOWN_FIELD", "other"],
  ])("rejects the mask %j: %s", (paths, reason, message) => {
    const reading = () => read(paths);
    expect(reading).toThrow(message);
    expect(reading).toThrow(expect.objectContaining({ reason }));
  });

  it("reports each invalid path only once", () => {
    try {
      read(["name", "name", "state", "other", "team_id"]);
      expect.unreachable();
    } catch (error) {
      expect((error as ApiError).violations).toHaveLength(3);
      for (const { field } of (error as ApiError).violations) expect(field).toBe("updateMask");
    }
  });

  it("rejects an empty mask if a mask is required", () => {
    expect(() => read(undefined, true)).toThrow(expect.objectContaining({ reason: "UPDATE_MASK_MISSING" }));
    expect(() => read([], true)).toThrow(ApiError);
    expect(read(["team_id"], true)).toEqual(["team_id"]);
  });
});
