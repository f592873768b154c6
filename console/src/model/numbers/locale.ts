/**
 * The English locale with the customs of a locale's region: `en-DE` for `de`. The page speaks English, and
 * digits or months in another script, possibly from right to left, would break its sentences.
 */
export function englishLocaleOf(locale: string): string {
  const { region } = new Intl.Locale(locale).maximize();
  return region === undefined ? "en" : `en-${region}`;
}

/** The locale of all numbers and dates on the page. */
export const LOCALE = englishLocaleOf(Intl.DateTimeFormat().resolvedOptions().locale);
