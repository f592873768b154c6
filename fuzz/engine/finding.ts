export interface Finding {
  /** Identifies a kind of finding, independent of values. */
  readonly signature: string;
  readonly error: Error;
  readonly input: Buffer;
}

export function findingOf(thrown: unknown, input: Buffer): Finding {
  const error = thrown instanceof Error ? thrown : new Error(`threw ${String(thrown)}`);
  return { signature: signatureOf(error), error, input };
}

/**
 * The error's message without variable parts, with the place in this repository that threw it and its caller. The
 * engine's places do not count: it runs an input again at other places to minimize it.
 */
function signatureOf({ name, message, stack = "" }: Error): string {
  const [frames = ""] = stack.slice(stack.indexOf(message) + message.length).split("/fuzz/engine/");
  const places = [...frames.matchAll(/\/((?:src|fuzz)\/[^\s?)]+)/g)].slice(0, 2).map(([, place]) => place);
  // Messages of assertions depend on the input.
  if (name === "AssertionError") return `${name} (${places.join(" < ")})`;
  const constant = message.replace(/"[^"]*"|\S*\d\S*|[^\x20-\x7e]+/g, "…").slice(0, 120);
  return `${name}: ${constant} (${places.join(" < ")})`;
}
