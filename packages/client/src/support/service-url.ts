/**
 * Parses the base address of a service. The address may include a path.
 *
 * @param name name of the address in error messages.
 * @throws TypeError if the address cannot be used for requests.
 */
export function serviceUrl(text: string, name: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new TypeError(`${name} is not a URL: ${text}; set an address such as http://HOST:PORT`, { cause });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`${name} must begin with http:// or https://`);
  // `fetch` rejects URLs with credentials, too.
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`${name} must not contain a user name or a password`);
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  url.search = "";
  url.hash = "";
  return url;
}
