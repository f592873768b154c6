import { type EntriesSelection, entriesRequest } from "#console/api/requests.js";

/** Most entries on one page. */
const PAGE_SIZE = 10_000;

/**
 * A command for a POSIX shell that prints the entries of a selection: the first 10,000, with a page token if
 * there are more. The command reads the access token from the variable TOKEN and does not contain it.
 * @param serviceUrl address of the messaging-data service, without a trailing slash.
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

/** Quotes a text as one word for a POSIX shell. Nothing is special within single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
