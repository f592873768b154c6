import { type EntriesSelection, entriesRequest } from "../api/requests.js";

/** The most that one answer holds. */
const PAGE_SIZE = 10_000;

/**
 * A command for a POSIX shell that yields the entries of a selection: all of them if they are 10,000 or fewer, else the
 * first of them with a token for the rest. The access token is taken from the variable TOKEN and stands nowhere in it.
 *
 * @param serviceUrl address of the messaging-data service, without a slash at the end.
 */
export function curlLine(serviceUrl: string, selection: EntriesSelection): string {
  const { pathname, search } = new URL(entriesRequest({ ...selection, pageSize: PAGE_SIZE }), "http://host");
  const parameters = [...new URLSearchParams(search)].map(
    ([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`,
  );
  return [
    "curl --silent --show-error --get",
    shellQuoted(serviceUrl + pathname),
    ...parameters,
    '--header "Authorization: Bearer $TOKEN"',
  ].join(" ");
}

/** A word for a POSIX shell that means just this text: nothing within single quotes means anything else. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
