const LONGEST = 64;

/** Foreign text as it may stand in a message: short, and free of control characters. */
export function printable(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");
  const characters = [...clean];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : clean;
}
