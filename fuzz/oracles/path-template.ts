/** Interprets a path template using only its text. */
export class ExpectedTemplate {
  readonly text: string;
  readonly #segments: readonly string[];
  readonly #verb: string | undefined;
  readonly #variables = new Map<string, readonly [start: number, end: number]>();

  /** @param text a valid template. */
  constructor(text: string) {
    this.text = text;
    const inside = text.replace(/\{[^}]*\}/g, (variable) =>
      variable.replaceAll("/", "\u0000").replaceAll(":", "\u0001"),
    );
    const slash = inside.lastIndexOf("/");
    const colon = inside.indexOf(":", slash);
    this.#verb = colon < 0 ? undefined : inside.slice(colon + 1);
    const segments: string[] = [];
    for (const part of inside.slice(1, colon < 0 ? undefined : colon).split("/")) {
      const [, name, pattern = "*"] = /^\{([^=}]*)(?:=([^}]*))?\}$/.exec(part) ?? [];
      const start = segments.length;
      segments.push(...(name === undefined ? [part] : pattern.split("\u0000")));
      if (name !== undefined) this.#variables.set(name, [start, segments.length]);
    }
    this.#segments = segments;
  }

  /** Raw texts of the variables in a path, by name; undefined if the path does not match. */
  match(path: string): ReadonlyMap<string, string> | undefined {
    const parts = this.#partsOf(path);
    if (parts === undefined || parts.includes("")) return undefined;
    const open = this.#segments.at(-1) === "**";
    const least = this.#segments.length - (open ? 1 : 0);
    if (parts.length < least || (!open && parts.length > least)) return undefined;
    const fixed = this.#segments.slice(0, least);
    if (!fixed.every((segment, index) => segment === "*" || segment === parts[index])) return undefined;
    const captures = [...this.#variables].map(([name, [start, end]]): [string, string] => {
      const last = open && end === this.#segments.length ? parts.length : end;
      return [name, parts.slice(start, last).join("/")];
    });
    return new Map(captures);
  }

  /** Sort key among templates that match the same path; the lowest wins. */
  get rank(): string {
    const ranks = this.#segments.map((segment) => (segment === "**" ? "3" : segment === "*" ? "2" : "1"));
    return (this.#verb === undefined ? "b" : "a") + ranks.join("");
  }

  #partsOf(path: string): string[] | undefined {
    if (!path.startsWith("/")) return undefined;
    if (this.#verb === undefined) return path.slice(1).split("/");
    return path.endsWith(`:${this.#verb}`) ? path.slice(1, -this.#verb.length - 1).split("/") : undefined;
  }
}
