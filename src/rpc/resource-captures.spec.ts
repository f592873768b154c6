import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import {
  GetAppAttestConfigRequestSchema,
  IntegrityService,
  UpdateAppAttestConfigRequestSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import {
  GetFileRequestSchema,
  LibraryService,
} from "../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import { capturesReader } from "./resource-captures.js";

const GET = IntegrityService.method.getAppAttestConfig;
const UPDATE = IntegrityService.method.updateAppAttestConfig;
const FILE = LibraryService.method.getFile;

const named = (name: string): Message => create(GetAppAttestConfigRequestSchema, { name });
const file = (path: string): Message => create(GetFileRequestSchema, { path });

describe("capturesReader returns a resource name as it would stand in a path:", () => {
  test.each<[name: string, method: DescMethod, request: Message, field: string, capture: string]>([
    ["plain", GET, named("projects/p/apps/a/appAttestConfig"), "name", "projects/p/apps/a/appAttestConfig"],
    [
      "with characters that a path encodes",
      GET,
      named("projects/100%/apps/é ?#/appAttestConfig"),
      "name",
      "projects/100%25/apps/%C3%A9%20%3F%23/appAttestConfig",
    ],
    [
      "with what looks encoded",
      GET,
      named("projects/a%2Fb/apps/%zz/appAttestConfig"),
      "name",
      "projects/a%252Fb/apps/%25zz/appAttestConfig",
    ],
    [
      "in a message of the request",
      UPDATE,
      create(UpdateAppAttestConfigRequestSchema, {
        appAttestConfig: { name: "projects/p/apps/a/appAttestConfig" },
      }),
      "app_attest_config.name",
      "projects/p/apps/a/appAttestConfig",
    ],
    ["of many segments", FILE, file("a/b/c"), "path", "a/b/c"],
    ["of no segments", FILE, file(""), "path", ""],
  ])("%s", (_name, method, request, field, capture) => {
    expect([...capturesReader(method)(request)]).toEqual([[field, capture]]);
  });
});

describe("capturesReader rejects a name that would not match the path:", () => {
  const form = "it must have the form projects/*/apps/*/appAttestConfig";

  test.each([
    ["nothing", ""],
    ["another collection", "project/p/apps/a/appAttestConfig"],
    ["another case", "Projects/p/apps/a/appAttestConfig"],
    ["a segment less", "projects/p/apps/appAttestConfig"],
    ["a segment more", "projects/p/apps/a/appAttestConfig/x"],
    ["a slash before", "/projects/p/apps/a/appAttestConfig"],
    ["a slash behind", "projects/p/apps/a/appAttestConfig/"],
    ["an empty segment", "projects//apps/a/appAttestConfig"],
    ["half a surrogate pair", "projects/\ud800/apps/a/appAttestConfig"],
  ])("%s", (_name, name) => {
    expect(() => capturesReader(GET)(named(name))).toThrow(
      expect.objectContaining({
        name: "ApiError",
        reason: "INVALID_RESOURCE_NAME",
        violations: [{ field: "name", description: form }],
      }),
    );
  });

  it("in a message that is missing", () => {
    const read = capturesReader(UPDATE);
    expect(() => read(create(UpdateAppAttestConfigRequestSchema))).toThrow(ApiError);
    expect(() => read(create(UpdateAppAttestConfigRequestSchema))).toThrow("Invalid appAttestConfig.name");
  });

  it("with an empty segment among many", () => {
    expect(() => capturesReader(FILE)(file("a//b"))).toThrow("Invalid path");
  });
});
