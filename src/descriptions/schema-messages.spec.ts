import { create, createFileRegistry, type DescMessage } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { SchemaMessages } from "./schema-messages.js";

const file = (name: string): FileDescriptorProto =>
  create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: `${name}.v1`,
    syntax: "proto3",
    messageType: [{ name: "Thing", nestedType: [{ name: "Part" }] }, { name: `Only${name}` }],
  });

const messages = ["a", "b"].flatMap((name): DescMessage[] => {
  const registry = createFileRegistry(file(name), () => undefined);
  return [...registry].filter((desc) => desc.kind === "message");
});

test("two messages with the same name get schema names that include their packages", () => {
  const names = [...new SchemaMessages(messages).names];
  expect(names.map(([{ typeName }, name]) => [typeName, name])).toEqual([
    ["a.v1.Thing", "AV1Thing"],
    ["a.v1.Thing.Part", "AV1ThingPart"],
    ["b.v1.Thing", "BV1Thing"],
    ["b.v1.Thing.Part", "BV1ThingPart"],
    ["a.v1.Onlya", "Onlya"],
    ["b.v1.Onlyb", "Onlyb"],
  ]);
});

test("a nested message gets a schema name that includes its parent's name", () => {
  const ofA = messages.filter(({ typeName }) => typeName.startsWith("a."));
  expect([...new SchemaMessages(ofA).names.values()]).toEqual(["Onlya", "Thing", "ThingPart"]);
});
