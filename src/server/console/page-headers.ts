/** Features of browsers that the page has no use for. Writing to the clipboard is left, to copy what is shown. */
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

/** The headers of everything that belongs to the page, whatever it connects to. */
export const FILE_HEADERS = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
  "x-frame-options": "DENY",
} as const;

/**
 * What the page may do (Content Security Policy Level 3): run and show what stands in its own files, and connect to its own
 * origin and those given; nothing else.
 */
export function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Charts become pictures by way of these.
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes HTML or a script, wherever it comes from.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
