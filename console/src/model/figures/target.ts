import type { TargetJson } from "#src/gen/waybill/messagingdata/v1beta1/target_pb.js";

/** A delivered share that an app or label must reach each day. */
export interface Target {
  readonly app: string;
  /** Empty for messages without a label; undefined for the whole app. */
  readonly label: string | undefined;
  /** In percent of accepted messages. */
  readonly delivered: number;
}

/** Reads a target from the service's JSON. */
export const targetOf = ({ appId = "", analyticsLabel, deliveredPercent = 0 }: TargetJson): Target => ({
  app: appId,
  label: analyticsLabel,
  delivered: Number(deliveredPercent),
});

/** Returns the target of exactly the messages with some labels, or of the whole app if undefined. */
export const targetFor = (
  targets: readonly Target[],
  { app, labels }: { readonly app: string; readonly labels: readonly string[] | undefined },
): Target | undefined =>
  targets.find(
    (target) =>
      target.app === app &&
      (labels === undefined ? target.label === undefined : labels.length === 1 && target.label === labels[0]),
  );
