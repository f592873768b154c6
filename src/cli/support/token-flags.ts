import { InvalidArgumentError, Option } from "commander";
import type { ScopeNames } from "../../auth/scopes.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { parseDuration } from "../../server/config/duration.js";

const SCOPES = { platform: Scope.PLATFORM, "app-platform": Scope.APP_PLATFORM } as const;

/** A scope as flags name it. */
export type ScopeFlag = keyof typeof SCOPES;

/** `--scope`, which may be repeated. */
export function scopeOption(description: string): Option {
  const choices = Object.keys(SCOPES);
  return new Option("--scope <scope>", description)
    .choices(choices)
    .argParser((value: string, previous: string[] | undefined) => {
      if (!(value in SCOPES)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
      return [...(previous ?? []), value];
    });
}

/** The full names of scopes. */
export function namesOf(scopes: readonly ScopeFlag[], names: ScopeNames): string[] {
  return scopes.map((scope) => names.nameOf(SCOPES[scope]));
}

/** Reads `--principal`. */
export function parsePrincipal(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Name somebody.");
}

/** Reads `--ttl` as seconds. */
export function parseTtl(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1000) {
    throw new InvalidArgumentError("Use a duration of at least a second, such as 30m or 12h.");
  }
  return Math.floor(milliseconds / 1000);
}
