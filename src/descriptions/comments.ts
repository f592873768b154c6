import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescMessage,
  DescMethod,
  DescService,
} from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** Declarations of the contract that can have a comment. */
export type Commented = DescMessage | DescField | DescEnum | DescEnumValue | DescService | DescMethod;

/**
 * Returns a declaration's comment as text. Wrapped lines are joined, paragraphs are separated by an empty line, and
 * list items stay on their own lines. Empty if there is no comment, as in generated code.
 */
export function commentOf(desc: Commented): string {
  const file = "file" in desc ? desc.file : desc.parent.file;
  const path = sourcePath(desc).join();
  const location = file.proto.sourceCodeInfo?.location.find((candidate) => candidate.path.join() === path);
  return unwrap(location?.leadingComments ?? "");
}

/** Returns a `description` property, or no property if the text is empty. */
export const described = (description: string) => (description === "" ? {} : { description });

/** Returns the first sentence of a comment. */
export function firstSentence(comment: string): string {
  const [paragraph = ""] = comment.split("\n\n");
  return /^.*?[.:](?=\s+[A-Z]|$)/s.exec(paragraph)?.[0] ?? paragraph;
}

/**
 * Matches a cross-reference such as `[google.type.Date][google.type.Date]`, which only documentation generators
 * understand.
 */
const CROSS_REFERENCE = /\[([^\]]+)\]\[[\w.]*\]/g;

function unwrap(comment: string): string {
  const paragraphs = comment.split(/\n\s*\n/).map((lines) =>
    lines
      .trim()
      .split(/\s*\n\s*(?=(?:[*-]|\d+\.) )/)
      .map((item) => item.replace(/\s+/g, " ").replace(CROSS_REFERENCE, "$1"))
      .join("\n"),
  );
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

const IN_FILE = FileDescriptorProtoSchema.field;
const IN_MESSAGE = DescriptorProtoSchema.field;

/** Returns a declaration's `SourceCodeInfo.Location.path` (`google/protobuf/descriptor.proto`). */
function sourcePath(desc: Commented): number[] {
  const path = (parent: Commented | undefined, list: { number: number }, siblings: readonly unknown[]) => [
    ...(parent === undefined ? [] : sourcePath(parent)),
    list.number,
    siblings.indexOf(desc.proto),
  ];
  switch (desc.kind) {
    case "message":
      return desc.parent === undefined
        ? path(undefined, IN_FILE.messageType, desc.file.proto.messageType)
        : path(desc.parent, IN_MESSAGE.nestedType, desc.parent.proto.nestedType);
    case "enum":
      return desc.parent === undefined
        ? path(undefined, IN_FILE.enumType, desc.file.proto.enumType)
        : path(desc.parent, IN_MESSAGE.enumType, desc.parent.proto.enumType);
    case "field":
      return path(desc.parent, IN_MESSAGE.field, desc.parent.proto.field);
    case "enum_value":
      return path(desc.parent, EnumDescriptorProtoSchema.field.value, desc.parent.proto.value);
    case "service":
      return path(undefined, IN_FILE.service, desc.file.proto.service);
    case "rpc":
      return path(desc.parent, ServiceDescriptorProtoSchema.field.method, desc.parent.proto.method);
  }
}
