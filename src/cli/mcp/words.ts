const COUNT = new Intl.NumberFormat("en");
const ONE_DIGIT = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a number, such as "1,400". */
export const count = (value: number): string => COUNT.format(value);

/** Formats a number of messages, such as "1,400 messages". */
export const messages = (value: number): string => `${count(value)} ${value === 1 ? "message" : "messages"}`;

/** Formats a percentage, such as "36.2 %". */
export const percent = (value: number): string => `${ONE_DIGIT.format(value)} %`;

/** Describes a change, such as "rose by 1.5 points". */
export function change(value: number, unit: "points" | "%"): string {
  const size = ONE_DIGIT.format(Math.abs(value));
  if (size === "0.0") return "did not change";
  return `${value > 0 ? "rose" : "fell"} by ${size} ${unit}`;
}

export const appName = (app: string): string => (app === "-" ? "all apps" : `app ${app}`);

/** Converts an outcome's JSON or enum name to words: "dropped ttl expired". */
export const outcomeName = (outcome: string): string =>
  outcome
    .replace(/(?<=[a-z])[A-Z]/g, " $&")
    .replaceAll("_", " ")
    .toLowerCase();

/** Rounds a percentage to the digits that {@link percent} shows, so that differences match the shown values. */
export const tenths = (value: number): number => Math.round(value * 10) / 10;
