import type { Delivery } from "../broker.js";

/** A message that records how it was settled. */
export interface TestDelivery extends Delivery {
  /** `acknowledged`, or the reason for its dead-lettering. */
  settled?: string;
}

export function delivery(text: string): TestDelivery {
  const created: TestDelivery = {
    data: Buffer.from(text),
    acknowledge: () => {
      created.settled = "acknowledged";
    },
    deadLetter: async (reason) => {
      created.settled = reason;
    },
  };
  return created;
}
