import { WaybillError } from "@waybill/client";
import type { ReactNode } from "react";
import { useReadAgain } from "#console/api/read-state.js";
import { joinClasses } from "../elements/basics.js";
import styles from "./failure.module.css";
import { Notice } from "./notice.js";

/** Explains an error, and how to fix it. */
export function Failure({
  error,
  retry,
}: {
  error: Error;
  /** Called to retry. The default retries every failed read on the page. */
  retry?: (() => void) | undefined;
}): ReactNode {
  const readAgain = useReadAgain();
  const { title, advice, action = "Try again" } = explanationOf(error);
  return (
    <Notice
      title={title}
      tone="failure"
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

/** Returns true if the service rejected the page token, for example because it has expired. */
export const isPlaceGone = (error: Error | null): boolean =>
  error instanceof WaybillError && error.reason !== undefined && /^PAGE_TOKEN_/.test(error.reason);

/** A script could not be downloaded although the server responds, so the page must be reloaded. */
export class OutdatedPageError extends Error {
  override readonly name = "OutdatedPageError";

  constructor() {
    super("The server no longer has this page's files.");
  }
}

interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** Button title. The default is "Try again". */
  readonly action?: string;
}

function explanationOf(error: Error): Explanation {
  if (error instanceof OutdatedPageError) {
    return {
      title: "The console was updated",
      advice: "Reload the page. Your view is kept.",
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
        advice: "Sign in with a new one. Your view is kept.",
      };
    case "PERMISSION_DENIED":
      return error.reason === "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        ? {
            title: "This token has no access to delivery data",
            advice: "It lacks the platform scope. Sign in with a token that has this scope.",
          }
        : {
            title: "You do not have access",
            advice:
              "Ask your server operator for the viewer role on this project, or choose another project.",
          };
    case "RESOURCE_EXHAUSTED":
      return { title: "Too many requests", advice: "The console retries in a moment." };
    case "UNAVAILABLE":
    case "DEADLINE_EXCEEDED":
      return error.httpStatus === undefined
        ? {
            title: "The service cannot be reached",
            advice: "It may be starting, or the network may be down. The console keeps retrying.",
          }
        : {
            title: `The service is not available (HTTP ${error.httpStatus})`,
            advice: "It may be starting or overloaded. The console keeps retrying.",
          };
    case "INVALID_ARGUMENT":
      if (isPlaceGone(error)) {
        return {
          title: "This page of the list has expired",
          advice: "Page links expire after three days. Try again to start at the first page.",
        };
      }
      return {
        title: "The service cannot show this view",
        advice: "Choose a shorter range or fewer labels.",
      };
    case "NOT_FOUND":
      return { title: "Not found", advice: "It may have been deleted." };
    default:
      return {
        title: "The service failed",
        advice: "Try again. If it keeps failing, contact your server operator.",
      };
  }
}

function detailOf(error: Error): string {
  const { message } = error;
  const requestId = error instanceof WaybillError ? error.requestId : undefined;
  return requestId === undefined ? message : `${message} (request ${requestId})`;
}
