/** An unusable configuration. Each line of the message names a key and its problem. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
