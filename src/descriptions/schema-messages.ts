import type { DescMessage, Registry } from "@bufbuild/protobuf";
import { valueTypeOf } from "./field-schema.js";
import type { Content } from "./operation.js";

/** Messages with a schema in a description, each with a unique name. */
export class SchemaMessages {
  /** Names of the messages, sorted by name. */
  readonly names: ReadonlyMap<DescMessage, string>;

  /** @param roots messages that are used. The messages in their fields are added. */
  constructor(roots: Iterable<DescMessage>) {
    const messages = withFields(roots);
    const shortNames = messages.map(shortNameOf);
    const isUnique = (name: string) => shortNames.filter((other) => other === name).length === 1;
    const named = messages.map((message): [DescMessage, string] => {
      const name = shortNameOf(message);
      return [message, isUnique(name) ? name : longNameOf(message)];
    });
    this.names = new Map(named.sort(([, a], [, b]) => (a < b ? -1 : 1)));
  }

  nameOf(message: DescMessage): string {
    const name = this.names.get(message);
    if (name === undefined) throw new Error(`${message} has no schema`);
    return name;
  }
}

export function messagesIn(content: Content | undefined, registry: Registry): DescMessage[] {
  switch (content?.kind) {
    case "message":
      return [content.message];
    case "field": {
      const type = valueTypeOf(content.field);
      return type.kind === "message" ? [type.desc] : [];
    }
    case "bytes":
      return content.lineType === undefined ? [] : [messageNamed(content.lineType, registry)];
    default:
      return [];
  }
}

/** Returns a message by its full name. @throws Error if the contract has no such message. */
export function messageNamed(typeName: string, registry: Registry): DescMessage {
  const message = registry.getMessage(typeName);
  if (message === undefined) throw new Error(`there is no message ${typeName}`);
  return message;
}

/** Returns the messages and, recursively, all messages in their fields. */
export function withFields(roots: Iterable<DescMessage>): DescMessage[] {
  const found = new Set(roots);
  // Iterating over a set also visits items that are added during the iteration.
  for (const message of found) {
    for (const field of message.fields) {
      const type = valueTypeOf(field);
      if (type.kind === "message") found.add(type.desc);
    }
  }
  return [...found];
}

/**
 * Returns a message's name without its package. For example, `MessageEventDetail` for a message `Detail` in
 * `MessageEvent`.
 */
const shortNameOf = ({ typeName, file }: DescMessage): string =>
  typeName.slice(file.proto.package.length).replaceAll(".", "");

/** Returns a message's name with its package, such as `GoogleTypeDate`. */
const longNameOf = ({ typeName }: DescMessage): string =>
  typeName.replace(/(?:^|\.)(\w)/g, (_match, first: string) => first.toUpperCase());
