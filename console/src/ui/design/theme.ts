/** Color themes. The system theme follows the browser. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** Key in local storage, beyond the session: a theme belongs to the browser. */
const STORAGE_KEY = "waybill.theme";

export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // The browser may block storage.
    return "system";
  }
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

/** Stores a theme, and applies it. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The theme lasts until the page is reloaded.
  }
  applyTheme(theme);
}
