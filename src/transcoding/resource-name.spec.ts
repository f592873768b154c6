import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import {
  GetAppAttestConfigRequestSchema,
  IntegrityService,
  UpdateAppAttestConfigRequestSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { messageNameReader } from "./resource-name.js";
import { GetFileRequestSchema, LibraryService } from "./testing/gen/waybill/testing/v1/library_pb.js";

const GET = IntegrityService.method.getAppAttestConfig;
const UPDATE = IntegrityService.method.updateAppAttestConfig;
const FILE = LibraryService.method.getFile;

const named = (name: string): Message => create(GetAppAttestConfigRequestSchema, { name });
const file = (path: string): Message => create(GetFileRequestSchema, { path });

const UPDATE_REQUEST = create(UpdateAppAttestConfigRequestSchema, {
  appAttestConfig: { name: "projects/p/apps/a/appAttestConfig" },
});

describe("a resource name in a message", () => {
  test.each<[method: DescMethod, request: Message, project: string, app: string]>([
    [GET, named("projects/p/apps/a/appAttestConfig"), "p", "a"],
    [GET, named("projects/100%/apps/é ?#/appAttestConfig"), "100%", "é ?#"],
    [GET, named("projects/a%2Fb/apps/%zz/appAttestConfig"), "a%2Fb", "%zz"],
    [UPDATE, UPDATE_REQUEST, "p", "a"],
  ])("of %s, %o, has the ids %s and %s", (method, request, project, app) => {
    const name = messageNameReader(method)(request);
    expect([name.idIn("projects"), name.idIn("apps")]).toEqual([project, app]);
  });

  test.each(["a/b/c", ""])("without a collection has no ids: %j", (path) => {
    expect(() => messageNameReader(FILE)(file(path)).idIn("a")).toThrow("has no a/*");
  });
});

describe("a resource name in a message that does not match the path is rejected:", () => {
  const form = "it must have the form projects/*/apps/*/appAttestConfig";

  test.each([
    ["nothing", ""],
    ["another collection", "project/p/apps/a/appAttestConfig"],
    ["another collection behind the first", "projects/p/app/a/appAttestConfig"],
    ["another case", "Projects/p/apps/a/appAttestConfig"],
    ["one segment less", "projects/p/apps/appAttestConfig"],
    ["one segment more", "projects/p/apps/a/appAttestConfig/x"],
    ["two segments more", "projects/p/apps/a/b/appAttestConfig"],
    ["a leading slash", "/projects/p/apps/a/appAttestConfig"],
    ["a trailing slash", "projects/p/apps/a/appAttestConfig/"],
    ["an empty segment", "projects//apps/a/appAttestConfig"],
    ["half a surrogate pair", "projects/\ud800/apps/a/appAttestConfig"],
  ])("%s", (_name, name) => {
    expect(() => messageNameReader(GET)(named(name))).toThrow(
      expect.objectContaining({
        name: "ApiError",
        reason: "INVALID_RESOURCE_NAME",
        violations: [{ field: "name", description: form }],
      }),
    );
  });

  it("in a nested message that is missing", () => {
    const read = messageNameReader(UPDATE);
    expect(() => read(create(UpdateAppAttestConfigRequestSchema))).toThrow(ApiError);
    expect(() => read(create(UpdateAppAttestConfigRequestSchema))).toThrow("Invalid appAttestConfig.name");
  });

  it("an empty segment among many", () => {
    expect(() => messageNameReader(FILE)(file("a//b"))).toThrow("Invalid path");
  });
});
