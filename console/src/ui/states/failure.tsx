import type { ReactNode } from "react";
import { WaybillError } from "../../../../src/client/waybill-error.js";
import { joinClasses } from "../elements/join-classes.js";
import styles from "./failure.module.css";
import { Notice } from "./notice.js";

/** Explains why something cannot be shown, and what to do about it. */
export function Failure({
  error,
  retry,
  height,
}: {
  error: Error;
  retry: () => void;
  height?: number;
}): ReactNode {
  const { title, advice } = explanationOf(error);
  return (
    <Notice
      title={title}
      tone="failure"
      {...(height !== undefined && { height })}
      action={
        <button type="button" onClick={retry}>
          Try again
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

interface Explanation {
  readonly title: string;
  readonly advice: string;
}

function explanationOf(error: Error): Explanation {
  if (!(error instanceof WaybillError)) {
    return { title: "Something went wrong", advice: "Reload the page." };
  }
  switch (error.code) {
    case "UNAUTHENTICATED":
      return {
        title: "The access token is no longer valid",
        advice: "Sign in with a new one; your view is kept.",
      };
    case "PERMISSION_DENIED":
      return error.reason === "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        ? {
            title: "This token may not see delivery data",
            advice: "It lacks the platform scope. Sign in with a token that has it.",
          }
        : {
            title: "You have no permission to see this",
            advice:
              "Ask the operator of the server for the viewer role on the project, or choose another project.",
          };
    case "RESOURCE_EXHAUSTED":
      return { title: "Too many requests", advice: "Wait a moment, then try again." };
    case "UNAVAILABLE":
    case "DEADLINE_EXCEEDED":
      return {
        title: "The service cannot be reached",
        advice: "It may be starting, or the network may be down. Figures on the page stay.",
      };
    case "INVALID_ARGUMENT":
      if (isPlaceGone(error)) {
        return {
          title: "This page of the list has expired",
          advice: "Page links work for three days. Try again to start with the first page.",
        };
      }
      return {
        title: "The service does not understand this view",
        advice: "Choose a shorter range or fewer labels.",
      };
    case "NOT_FOUND":
      return { title: "Not found", advice: "It may have been removed. Choose another one." };
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
