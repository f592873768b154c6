/** A segment of a path template. Variables are replaced by their segments. */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  /** `*`: exactly one segment. */
  | { readonly kind: "one" }
  /** `**`: all remaining segments, possibly none. */
  | { readonly kind: "rest" };

/** A variable of a path template. It binds a range of segments to a field. */
export interface TemplateVariable {
  /** Request field path in proto names, such as `book.name`. */
  readonly fieldPath: string;
  /** Index of the variable's first segment. */
  readonly start: number;
  /** Index after the variable's last segment. A variable ending in `**` has all remaining segments. */
  readonly end: number;
  /**
   * True if the variable matches exactly one segment, such as `{var}` and `{var=*}`. It determines the percent-decoding.
   */
  readonly single: boolean;
  /** True if the variable ends in `**`. */
  readonly open: boolean;
  /** Ids in the variable: each `*` after a collection name. */
  readonly ids: readonly IdPosition[];
}

interface IdPosition {
  readonly collection: string;
  /** Segment index within the variable. */
  readonly index: number;
}

/** A path template in the syntax of `google/api/http.proto`. */
export interface PathTemplate {
  readonly text: string;
  readonly segments: readonly TemplateSegment[];
  readonly variables: readonly TemplateVariable[];
  /** Text after the colon in the last segment, such as `import`. */
  readonly verb: string | undefined;
}

// Characters of a path segment (RFC 3986 §3.3), except those that the template syntax uses.
const LITERAL = /(?:[A-Za-z0-9\-._~!$&'()+,;@]|%[0-9A-Fa-f]{2})+/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;

/**
 * Parses a path template:
 *
 *     Template = "/" Segments [ Verb ] ;
 *     Segments = Segment { "/" Segment } ;
 *     Segment  = "*" | "**" | LITERAL | Variable ;
 *     Variable = "{" FieldPath [ "=" Segments ] "}" ;
 *     FieldPath = IDENT { "." IDENT } ;
 *     Verb     = ":" LITERAL ;
 *
 * @throws Error with the template and the column, for contract authors.
 *
 * @example
 * ```ts
 * const { variables, verb } = parsePathTemplate("/v1/{parent=shelves/*}/books:sort");
 * console.log(variables[0]?.fieldPath, verb); // parent sort
 * ```
 */
export function parsePathTemplate(text: string): PathTemplate {
  return new TemplateParser(text).parse();
}

class TemplateParser {
  readonly #text: string;
  readonly #segments: TemplateSegment[] = [];
  readonly #variables: TemplateVariable[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PathTemplate {
    this.#expect("/");
    this.#parseSegments(true);
    const verb = this.#accept(":") ? this.#read(LITERAL, "a verb") : undefined;
    if (this.#at < this.#text.length) this.#fail(`unexpected "${this.#text[this.#at]}"`);
    return { text: this.#text, segments: this.#segments, variables: this.#variables, verb };
  }

  #parseSegments(variablesAllowed: boolean): void {
    do {
      if (this.#segments.at(-1)?.kind === "rest") this.#fail("** must be the last part of the path");
      if (this.#accept("{")) {
        if (!variablesAllowed) this.#fail("a variable must not contain another variable");
        this.#parseVariable();
      } else {
        this.#parseSegment();
      }
    } while (this.#accept("/"));
  }

  #parseSegment(): void {
    if (this.#accept("**")) this.#segments.push({ kind: "rest" });
    else if (this.#accept("*")) this.#segments.push({ kind: "one" });
    else this.#segments.push({ kind: "literal", text: this.#read(LITERAL, "a segment") });
  }

  #parseVariable(): void {
    const names = [this.#read(IDENTIFIER, "a field name")];
    while (this.#accept(".")) names.push(this.#read(IDENTIFIER, "a field name"));
    const fieldPath = names.join(".");
    if (this.#variables.some((variable) => variable.fieldPath === fieldPath)) {
      this.#fail(`variable ${fieldPath} is repeated`);
    }
    const start = this.#segments.length;
    if (this.#accept("=")) this.#parseSegments(false);
    else this.#segments.push({ kind: "one" });
    this.#expect("}");
    const end = this.#segments.length;
    const open = this.#segments.at(-1)?.kind === "rest";
    const ids = idPositions(this.#segments.slice(start, end));
    this.#variables.push({ fieldPath, start, end, open, single: end - start === 1 && !open, ids });
  }

  #accept(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) this.#fail(`expected "${token}"`);
  }

  #read(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) this.#fail(`expected ${what}`);
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #fail(description: string): never {
    throw new Error(`Path template "${this.#text}": ${description} at column ${this.#at + 1}`);
  }
}

const idPositions = (segments: readonly TemplateSegment[]): readonly IdPosition[] =>
  segments.flatMap(({ kind }, index) => {
    const before = segments[index - 1];
    return kind === "one" && before?.kind === "literal" ? [{ collection: before.text, index }] : [];
  });

/** Returns the captured text of a template's variable. @throws Error if the template has no such variable. */
export function captured(captures: ReadonlyMap<string, string>, fieldPath: string): string {
  const text = captures.get(fieldPath);
  if (text === undefined) throw new Error(`the path has no variable ${fieldPath}`);
  return text;
}
