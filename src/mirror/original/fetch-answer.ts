import { readBody } from "@waybill/client/support";
import { faultCode } from "../../outgoing/fault-code.js";
import { withinTime } from "../../outgoing/within-time.js";
import { OriginalError } from "./original.js";

/** An answer over HTTP, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked; of a failure, only its beginning. */
  readonly body: Uint8Array;
}

/** Bounds of an answer. */
export interface AnswerLimits {
  /** Longest body, unpacked, in bytes. */
  readonly answerBytes: number;
  /** Longest time without a byte, in milliseconds. */
  readonly silenceMs: number;
  /** Longest time for the whole answer, in milliseconds. */
  readonly answerMs: number;
}

/** Longest beginning of the body of a failure that is read, in bytes. */
const MAX_FAILURE_BYTES = 64 * 1024;

/**
 * Reads an address, without following redirects.
 *
 * @throws OriginalError if there is no answer, if it is cut short, too slow or too long. Otherwise the reason of `signal`
 *   once it has aborted.
 */
export async function fetchAnswer(
  url: URL,
  headers: Headers,
  { answerBytes, silenceMs, answerMs }: AnswerLimits,
  signal: AbortSignal,
): Promise<Answer> {
  const late = new OriginalError("unavailable", "it took too long for an answer");
  const silent = new OriginalError("unavailable", "it sent nothing for too long");
  try {
    // Without the longer time, a byte now and then would hold the mirror of the app for ever.
    return await withinTime(answerMs, late, signal, (whole) =>
      withinTime(silenceMs, silent, whole, async (ending, onByte) => {
        const response = await fetch(url, { headers, redirect: "manual", signal: ending });
        const { status, ok } = response;
        onByte();
        const { bytes, isWhole } = await readBody(response, ok ? answerBytes : MAX_FAILURE_BYTES, onByte);
        if (ok && !isWhole) throw new OriginalError("form", `the answer is longer than ${answerBytes} bytes`);
        return { status, headers: response.headers, body: bytes };
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof OriginalError ? error : faultOf(faultCode(error));
  }
}

/** zlib's codes, such as `Z_DATA_ERROR`, are of bodies that cannot be unpacked. */
const faultOf = (code: string): OriginalError =>
  code.startsWith("Z_")
    ? new OriginalError("form", `the answer cannot be unpacked: ${code}`)
    : new OriginalError("unavailable", `the connection failed: ${code}`);
