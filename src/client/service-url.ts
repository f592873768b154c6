/**
 * The base address of a service, ready to have paths resolved against it; a path of its own is kept.
 * @param name what the address is called in errors.
 * @throws TypeError if it is no address to send requests to.
 */
export function serviceUrl(text: string, name: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new TypeError(`${name} is not a URL: ${text}`, { cause });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`${name} must begin with http: or https:`);
  // Not even fetch takes such an address.
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`${name} must not hold a user name or a password`);
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  url.search = "";
  url.hash = "";
  return url;
}
