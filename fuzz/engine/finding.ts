/** An input that broke a property. */
export interface Finding {
  /** Tells findings of one kind from others, whatever values are in them. */
  readonly signature: string;
  readonly error: Error;
  readonly input: Buffer;
}

/** What was thrown for an input, as a finding. */
export function findingOf(thrown: unknown, input: Buffer): Finding {
  const error = thrown instanceof Error ? thrown : new Error(`threw ${String(thrown)}`);
  return { signature: signatureOf(error), error, input };
}

/** Where it was thrown in this repository, and by whom that was called; and the words of an error, without what varies. */
function signatureOf({ name, message, stack = "" }: Error): string {
  const frames = stack.slice(stack.indexOf(message) + message.length);
  const places = [...frames.matchAll(/\/((?:src|fuzz)\/[^\s?)]+)/g)].slice(0, 2).map(([, place]) => place);
  // Those of an assertion are of the input.
  if (name === "AssertionError") return `${name} (${places.join(" < ")})`;
  return `${name}: ${message.slice(0, 120).replace(/"[^"]*"|\S*\d\S*|[^\x20-\x7e]+/g, "…")} (${places.join(" < ")})`;
}
