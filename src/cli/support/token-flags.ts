import { InvalidArgumentError, Option } from "commander";
import type { ScopeNames } from "../../auth/scopes.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { parseDuration } from "../../server/config/config-values.js";

const SCOPES = { platform: Scope.PLATFORM, "app-platform": Scope.APP_PLATFORM } as const;

/** A scope, as named in flags. */
export type ScopeFlag = keyof typeof SCOPES;

/** Makes the option `--scope`, which may be repeated. */
export function scopeOption(description: string): Option {
  const choices = Object.keys(SCOPES);
  return new Option("--scope <scope>", description)
    .choices(choices)
    .argParser((value: string, previous: string[] | undefined) => {
      if (!(value in SCOPES)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
      return [...(previous ?? []), value];
    });
}

/** Returns the full names of scopes. */
export function namesOf(scopes: readonly ScopeFlag[], names: ScopeNames): string[] {
  return scopes.map((scope) => names.nameOf(SCOPES[scope]));
}

/** Parses `--principal`. */
export function parsePrincipal(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

/** Parses `--ttl` into seconds. */
export function parseTtl(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1000) {
    throw new InvalidArgumentError("It must be a duration of at least a second, such as 30m or 12h.");
  }
  return Math.floor(milliseconds / 1000);
}
