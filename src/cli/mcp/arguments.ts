import { z } from "zod";
import { isLabel } from "../../model/analytics-label.js";
import { isDay } from "../list/filter.js";

/** An argument that names an app. */
export const APP = z.string().min(1).describe('Id of an Android app; "-" stands for all apps of the project');

/** An argument that names a label. */
export const LABEL = z
  .string()
  .refine((text) => text === "" || isLabel(text), "must be an analytics label, or empty")
  .describe('Analytics label; "" stands for messages without a label');

/** An argument that names a day. */
export const DAY = z.string().refine(isDay, "must be a date, YYYY-MM-DD");

/** Arguments that name a range of days. */
export const RANGE = {
  from: DAY.optional().describe("First day, YYYY-MM-DD. Default: six days before the last"),
  to: DAY.optional().describe("Last day, YYYY-MM-DD. Default: the last day that has data"),
};
