/**
 * Sends a request like `fetch`. Bytes in its body are sent from their own memory. Before it sends them, the `fetch` of
 * Node.js copies them into new memory, and that is a tenth of an import's time. Redirects are not followed; with bytes,
 * the `fetch` of Node.js 20 cannot follow them either.
 */
export const fetchByUndici: typeof fetch = async (input, init = {}) => {
  if (!(init.body instanceof Uint8Array) || input instanceof Request) return fetch(input, init);
  // Loaded only when it is needed: few commands send bytes, and `fetch` then also uses the connections of undici.
  const { sendBytes } = await import("./send-bytes.js");
  return sendBytes(input, init.body, init);
};
