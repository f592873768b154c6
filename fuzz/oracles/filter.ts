/** The values that a filter tests. */
export interface FilteredEntry {
  /** `2026-03-08` */
  readonly date: string;
  readonly label: string;
}

/** Returns true if a filter matches an entry. */
type Holds = (entry: FilteredEntry) => boolean;

const TOKEN =
  /[ \t\r\n]*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(<=|>=|!=|[=<>:(),-])|([^ \t\r\n"'()=!<>:,]+))/y;
const COMPARATORS = ["=", "!=", "<", "<=", ">", ">=", ":"];

interface Token {
  readonly kind: "string" | "mark" | "text";
  readonly text: string;
}

/**
 * Converts a filter directly into a predicate, following the AIP-160 grammar: dates are compared as texts,
 * patterns are regular expressions. The result is meaningful for valid filters only.
 */
export function readExpectedFilter(text: string): Holds {
  const tokens = tokenize(text);
  let next = 0;
  const isMark = (mark: string): boolean => tokens[next]?.kind === "mark" && tokens[next]?.text === mark;
  const isWord = (word: string): boolean => tokens[next]?.kind === "text" && tokens[next]?.text === word;
  const accept = (found: boolean): boolean => {
    if (found) next++;
    return found;
  };
  const all =
    (parts: readonly Holds[]): Holds =>
    (entry) =>
      parts.every((part) => part(entry));
  const any =
    (parts: readonly Holds[]): Holds =>
    (entry) =>
      parts.some((part) => part(entry));

  function expression(simple: () => Holds): Holds {
    const parts: Holds[] = [];
    do {
      const choices: Holds[] = [];
      do {
        const negated = accept(isWord("NOT")) || accept(isMark("-"));
        const operand = accept(isMark("(")) ? expression(simple) : simple();
        choices.push(negated ? (entry) => !operand(entry) : operand);
      } while (accept(isWord("OR")));
      parts.push(any(choices));
      accept(isWord("AND"));
    } while (next < tokens.length && !isMark(")"));
    accept(isMark(")"));
    return all(parts);
  }

  function restriction(): Holds {
    const field = tokens[next++]?.text ?? "";
    const comparator = tokens[next++]?.text ?? "";
    if (accept(isMark("("))) return expression(() => comparison(field, comparator, value()));
    return comparison(field, comparator, value());
  }

  const value = (): string => tokens[next++]?.text ?? "";

  return expression(restriction);
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return tokens;
    const [, string, mark, plain] = match;
    const before = tokens.at(-1);
    if (string !== undefined) {
      tokens.push({ kind: "string", text: string.slice(1, -1).replace(/\\(.)/g, "$1") });
    } else if (mark === "-" && before?.kind === "mark" && COMPARATORS.includes(before.text)) {
      // A value that begins with a minus.
      const [negative = ""] = /[^ \t\r\n"'()=!<>:,]+/.exec(text.slice(start)) ?? [];
      tokens.push({ kind: "text", text: negative });
      TOKEN.lastIndex = text.indexOf(negative, start) + negative.length;
    } else {
      tokens.push({ kind: mark === undefined ? "text" : "mark", text: mark ?? plain ?? "" });
    }
  }
}

function comparison(field: string, comparator: string, value: string): Holds {
  if (field === "date") {
    if (comparator === ":" && value === "*") return () => true;
    return ({ date }) => compares(comparator, date < value ? -1 : date > value ? 1 : 0);
  }
  if (comparator === ":" && value === "*") return ({ label }) => label !== "";
  if (value.includes("*")) {
    const pattern = new RegExp(
      `^${value
        // One by one, many asterisks would need exponential time.
        .split(/\*+/)
        .map((piece) => piece.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"))
        .join("[^]*")}$`,
    );
    return ({ label }) => pattern.test(label) !== (comparator === "!=");
  }
  return ({ label }) => compares(comparator, Buffer.compare(Buffer.from(label), Buffer.from(value)));
}

function compares(comparator: string, sign: number): boolean {
  if (sign === 0) return ["=", ":", "<=", ">="].includes(comparator);
  return comparator === "!=" || comparator.startsWith(sign < 0 ? "<" : ">");
}
