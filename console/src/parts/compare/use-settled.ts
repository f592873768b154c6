import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import type { SideChoice } from "./side.js";

/** Two sides with the groups of each by day. */
export interface ContestData {
  readonly left: SideChoice;
  readonly right: SideChoice;
  readonly leftGroups: readonly DeliveryGroup[];
  readonly rightGroups: readonly DeliveryGroup[];
}

type Days = Pick<UseQueryResult<readonly DeliveryGroup[]>, "data" | "isPlaceholderData">;

/**
 * Returns both sides once the days of both have loaded. Until then it returns the previous sides under their
 * own names, which keeps figures from appearing below the name of another side. Undefined if no previous
 * sides belong to the same app.
 */
export function useSettled(
  left: SideChoice,
  right: SideChoice,
  leftDays: Days,
  rightDays: Days,
): ContestData | undefined {
  const [settled, setSettled] = useState<ContestData>();
  const leftGroups = leftDays.isPlaceholderData ? undefined : leftDays.data;
  const rightGroups = rightDays.isPlaceholderData ? undefined : rightDays.data;
  if (leftGroups === undefined || rightGroups === undefined) {
    return settled !== undefined && isOfOneApp(settled.left, left) ? settled : undefined;
  }
  const now = { left, right, leftGroups, rightGroups };
  if (settled === undefined || !isSame(settled, now)) setSettled(now);
  return now;
}

const isOfOneApp = ({ selection: { project, app } }: SideChoice, { selection: other }: SideChoice): boolean =>
  project === other.project && app === other.app;

const isSame = (one: ContestData, other: ContestData): boolean =>
  one.leftGroups === other.leftGroups &&
  one.rightGroups === other.rightGroups &&
  one.left.title === other.left.title &&
  one.right.title === other.right.title;
