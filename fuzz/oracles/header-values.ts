const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const CODING = new RegExp(`^(${TOKEN})(?:[ \\t]*;[ \\t]*q=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?))?$`, "i");
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** List elements (RFC 9110 §5.6.1) without quoted commas. */
const elementsOf = (value: string): string[] =>
  value
    .split(",")
    .map((element) => element.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((element) => element !== "");

/**
 * The coding that an `Accept-Encoding` (RFC 9110 §12.5.3) prefers among `br`, `gzip` and none.
 * @returns "malformed" if the value is not well-formed, or weights a coding twice.
 */
export function expectedCoding(value: string): "br" | "gzip" | undefined | "malformed" {
  const weights = new Map<string, number>();
  for (const element of elementsOf(value)) {
    const [, name = "", weight = "1"] = CODING.exec(element) ?? [];
    const coding = name.toLowerCase();
    if (name === "" || weights.has(coding)) return "malformed";
    weights.set(coding, Number(weight));
  }
  const [br, gzip] = ["br", "gzip"].map((coding) => weights.get(coding) ?? weights.get("*") ?? 0);
  const best = Math.max(br ?? 0, gzip ?? 0);
  if (best === 0 || best < (weights.get("identity") ?? 0)) return undefined;
  return br === best ? "br" : "gzip";
}

/** Tags of an `If-Match` or `If-None-Match` (RFC 9110 §13.1); "malformed" if it is not a list of tags. */
export function expectedTags(value: string): readonly string[] | "*" | "malformed" {
  if (/^[ \t]*\*[ \t]*$/.test(value)) return "*";
  // A tag may contain commas, which this simple split cannot handle.
  if (/"[^"]*,[^"]*"/.test(value)) return "malformed";
  const elements = elementsOf(value);
  return elements.every((element) => ENTITY_TAG.test(element)) ? elements : "malformed";
}
