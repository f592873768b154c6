import * as z from "zod";
import { nonEmpty } from "../../control/config-parts.js";
import { isSecure, origin, parseUrl } from "../config/config-values.js";

const BAD_ISSUER = "must be an https URL without query and fragment (http only for this machine)";

/** Schema of an OAuth 2.0 issuer, as in its metadata (RFC 8414 §2). */
const issuer = z
  .string()
  .meta({ title: "URL" })
  .refine((text) => {
    const url = parseUrl(text);
    return url !== undefined && !/[?#]/.test(text) && url.username === "" && isSecure(url);
  }, BAD_ISSUER);

const webOrigin = origin.refine((text) => /^https?:/.test(text), "must be an http or https origin");

/**
 * Schema of the config key `console`: false, true, or an object that may configure OAuth 2.0 sign-in. `true` is
 * equivalent to an empty object.
 */
export const consoleSchema = z.union(
  [
    z.literal(false),
    z.literal(true).transform((): { readonly oauth?: never } => ({})),
    z.strictObject({
      oauth: z
        .strictObject({
          issuer,
          clientId: nonEmpty,
          scope: nonEmpty.optional(),
          origins: z.array(webOrigin).default([]),
        })
        .optional(),
    }),
  ],
  { error: "must be true, false or keys" },
);
