import type { Logger } from "pino";
import * as z from "zod";
import { ApiError } from "../../api/api-error.js";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainRequest, PlainResponse, PlainRoute } from "../../api/plain-route.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { MAX_JSON_BYTES } from "../../limits/request-limits.js";
import type { AdjustableClock } from "../../model/clock.js";
import { LAST_INSTANT, MAX_RATE } from "../../model/clock.js";
import { expectJsonType, parseJson } from "../../transcoding/binding/json-body.js";
import { duration, instant } from "../config/config-values.js";
import { CLOCK_PATH } from "./admin-access.js";

export interface ClockParts {
  readonly clock: AdjustableClock;
  /**
   * Waits until the listed and removed days match the clock, but not longer than `withinMs`. Omitted if this process
   * has no messaging-data service.
   */
  readonly settled: ((withinMs: number) => Promise<void>) | undefined;
  /** The shortest configured retention, in milliseconds. Omitted without retention. */
  readonly retention?: number | undefined;
  readonly logger: Logger;
}

/** Maximum time for which a response waits until the days match the clock, in milliseconds. */
const SETTLE_MS = 10_000;
const NO_STORE = { "cache-control": "no-store" };

const RATE = `must be a number from 0 to ${MAX_RATE}`;

/** Schema of a clock change: a time or a duration to set the clock, and a rate. */
const change = z
  .strictObject({
    time: instant.optional(),
    advance: duration.optional(),
    force: z.boolean("must be true or false").optional(),
    rate: z.number(RATE).min(0, RATE).max(MAX_RATE, RATE).optional(),
  })
  .refine(({ time, advance }) => time === undefined || advance === undefined, {
    path: ["advance"],
    message: "cannot be combined with time",
  });

/**
 * Returns the routes that show and set the clock. After a change, the response waits until listed and removed days
 * match the new time, but not longer than ten seconds.
 *
 * @param parts omitted if the clock is not adjustable.
 */
export function clockRoutes(parts: ClockParts | undefined): PlainRoute[] {
  if (parts === undefined) {
    const reject = (): never => {
      throw clockFixed();
    };
    return [
      { httpMethod: "GET", path: CLOCK_PATH, respond: reject },
      { httpMethod: "POST", path: CLOCK_PATH, respond: reject },
    ];
  }
  return [
    { httpMethod: "GET", path: CLOCK_PATH, respond: () => shown(parts.clock) },
    {
      httpMethod: "POST",
      path: CLOCK_PATH,
      respond: async (request) => {
        await setClock(parts, request);
        return shown(parts.clock);
      },
    },
  ];
}

/** The server's clock is not adjustable (409). */
const clockFixed = (): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    httpStatus: 409,
    reason: "CLOCK_NOT_ADJUSTABLE",
    message:
      "The clock of this server is not adjustable. Start it with --demo --clock, or with clock.adjustable: true in its configuration file.",
  });

async function setClock(
  { clock, settled, retention, logger }: ClockParts,
  { headers, body }: PlainRequest,
): Promise<void> {
  expectJsonType(headers["content-type"]);
  const parsed = change.safeParse(parseJson(await body(MAX_JSON_BYTES)).json);
  if (!parsed.success) throw invalidChange(parsed.error);
  const { advance, rate, force } = parsed.data;
  const time = parsed.data.time ?? clock.wall() + (advance ?? 0);
  if (time > LAST_INSTANT) {
    throw ApiError.invalidArgument("INVALID_BODY", "advance", "must not set the clock past the year 9999");
  }
  if (retention !== undefined && time - clock.wall() >= retention && force !== true) {
    const field = advance === undefined ? "time" : "advance";
    const message =
      "would permanently delete all listed days, because it moves the clock ahead by the retention or more; set force to true (--force) to do it anyway";
    throw ApiError.invalidArgument("INVALID_BODY", field, message);
  }
  clock.set({ time, ...(rate !== undefined && { rate }) });
  logger.info({ clock: stateOf(clock) }, "clock set");
  // If the store fails, the clock is set nevertheless. The jobs report the failure.
  await settled?.(SETTLE_MS).catch(() => {});
}

function invalidChange({ issues: [issue] }: z.ZodError): ApiError {
  const field = issue?.path.join(".") || "body";
  return ApiError.invalidArgument("INVALID_BODY", field, issue?.message ?? "is not valid");
}

const stateOf = (clock: AdjustableClock): { time: string; rate: number } => ({
  time: new Date(clock.wall()).toISOString(),
  rate: clock.setting.rate,
});

const shown = (clock: AdjustableClock): PlainResponse => ({
  body: new EncodedJson(Buffer.from(JSON.stringify(stateOf(clock)))),
  headers: NO_STORE,
});
