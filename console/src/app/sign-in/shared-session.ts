import { pageUrl } from "#console/api/console-config.js";

/** Message between tabs of one browser with the same console. No token remains stored after the last tab is closed. */
type Message =
  /** A new tab asks for a token. */
  | { readonly kind: "ask" }
  /** A tab has signed in, or responds to a new tab. */
  | { readonly kind: "token"; readonly token: string }
  /** A tab has signed out. */
  | { readonly kind: "out" };

export interface SharedSession {
  /** Listens to other tabs, and asks them for a token. @returns a function that stops listening. */
  listen(listener: { onToken(token: string): void; onSignOut(): void }): () => void;
  /** Sets the token for tabs that ask. Undefined for none. */
  offer(token: string | undefined): void;
  /** Reports a sign-in to all tabs, or a sign-out if the token is undefined. */
  send(token: string | undefined): void;
}

/** Shares the session with other tabs through a channel, which only pages of the same origin can open. */
export function shareSession(): SharedSession {
  let offered: string | undefined;
  let channel: BroadcastChannel | undefined;
  const post = (message: Message): void => channel?.postMessage(message);
  return {
    listen: ({ onToken, onSignOut }) => {
      channel = new BroadcastChannel(`waybill.session ${pageUrl()}`);
      channel.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.kind === "token") onToken(data.token);
        else if (data.kind === "out") onSignOut();
        else if (offered !== undefined) post({ kind: "token", token: offered });
      };
      post({ kind: "ask" });
      return () => {
        channel?.close();
        channel = undefined;
      };
    },
    offer: (token) => {
      offered = token;
    },
    send: (token) => post(token === undefined ? { kind: "out" } : { kind: "token", token }),
  };
}
