import { WaybillError } from "@waybill/client";
import type { ReactNode } from "react";
import { useReadAgain } from "#console/api/read-state.js";
import { joinClasses } from "../elements/basics.js";
import styles from "./failure.module.css";
import { Notice } from "./notice.js";

/** Explains why something cannot be shown, and what to do about it. */
export function Failure({
  error,
  retry,
  height,
}: {
  error: Error;
  /** Called to try again; by default reads again everything on the page that could not be read. */
  retry?: (() => void) | undefined;
  height?: number;
}): ReactNode {
  const readAgain = useReadAgain();
  const { title, advice, action = "Try again" } = explanationOf(error);
  return (
    <Notice
      title={title}
      tone="failure"
      {...(height !== undefined && { height })}
      action={
        <button type="button" onClick={retry ?? readAgain}>
          {action}
        </button>
      }
    >
      <p>{advice}</p>
      <p className={joinClasses("small soft", styles.detail)}>{detailOf(error)}</p>
    </Notice>
  );
}

/** Returns true if the service rejected a page token, for example because it has expired. */
export const isPlaceGone = (error: Error | null): boolean =>
  error instanceof WaybillError && error.reason !== undefined && /^PAGE_TOKEN_/.test(error.reason);

/** A file of the page cannot be downloaded from a server that answers: the page must be loaded anew. */
export class OutdatedPageError extends Error {
  override readonly name = "OutdatedPageError";

  constructor() {
    super("The server no longer has the files of this page.");
  }
}

interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** Title of the button, if it is not to try again. */
  readonly action?: string;
}

function explanationOf(error: Error): Explanation {
  if (error instanceof OutdatedPageError) {
    return {
      title: "The console was updated",
      advice: "Reload the page; your view stays as it is.",
      action: "Reload",
    };
  }
  if (!(error instanceof WaybillError)) {
    return { title: "Something went wrong", advice: "Reload the page." };
  }
  switch (error.code) {
    case "UNAUTHENTICATED":
      return {
        title: "The access token is no longer valid",
        advice: "Sign in with a new one; your view stays as it is.",
      };
    case "PERMISSION_DENIED":
      return error.reason === "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        ? {
            title: "This token gives no access to delivery data",
            advice: "It lacks the platform scope. Sign in with a token that has it.",
          }
        : {
            title: "You have no permission to see this",
            advice:
              "Ask the operator of the server for the viewer role on the project, or choose another project.",
          };
    case "RESOURCE_EXHAUSTED":
      return { title: "Too many requests", advice: "The console tries again after a moment." };
    case "UNAVAILABLE":
    case "DEADLINE_EXCEEDED":
      return {
        title: "The service cannot be reached",
        advice: "It may be starting, or the network may be down. The console keeps trying.",
      };
    case "INVALID_ARGUMENT":
      if (isPlaceGone(error)) {
        return {
          title: "This page of the list has expired",
          advice: "Page links work for three days. Try again to start with the first page.",
        };
      }
      return {
        title: "The service cannot show this view",
        advice: "Choose a shorter range or fewer labels.",
      };
    case "NOT_FOUND":
      return { title: "Not found", advice: "It may have been removed." };
    default:
      return {
        title: "The service failed",
        advice: "Try again. If it keeps failing, tell the operator of the server.",
      };
  }
}

function detailOf(error: Error): string {
  const { message } = error;
  const requestId = error instanceof WaybillError ? error.requestId : undefined;
  return requestId === undefined ? message : `${message} (request ${requestId})`;
}
