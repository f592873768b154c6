/**
 * Everything that a caller can make the server do or keep, and the most of it. Each limit has its unit in its name or its
 * comment and says whom it is counted for; `SECURITY.md` has the same numbers for users, and a test compares both.
 */

/** Longest excerpt of a caller's text that an error message, a header or a log line repeats, in characters. */
export const MAX_EXCERPT = 200;
