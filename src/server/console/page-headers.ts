/** Browser features that the page does not use. Clipboard writes stay allowed, for copying. */
const UNUSED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
];

/** Headers of every file of the page, whatever the page connects to. */
export const FILE_HEADERS = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
  "x-frame-options": "DENY",
} as const;

/**
 * Returns the page's Content Security Policy (Level 3): it may use its own files, and connect to its own
 * origin and the given ones.
 */
export function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Exporting a chart as a picture needs these.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Blocks every conversion of text into HTML or script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
