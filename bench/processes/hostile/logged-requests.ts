import { keepDoing, runAttack } from "../../support/reads/attack.js";

/** Requests without a token. Each is logged. */
runAttack(async ({ integrityUrl, messagingDataUrl, adminUrl, seconds }) => {
  const urls = [integrityUrl, messagingDataUrl].map((url) => `${url}/nothing/${"x".repeat(1_000)}`);
  let responded = 0;
  const count = await keepDoing({ seconds, perSecond: 1_000, atOnce: 64 }, async (index) => {
    const response = await fetch(urls[index % urls.length] ?? "");
    await response.arrayBuffer();
    responded++;
  });
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const dropped = Number(/^waybill_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
  return {
    did: `${count} requests`,
    checks: [
      {
        what: "log lines that are dropped and counted",
        figure: dropped.toLocaleString("en-US"),
        target: "> 0",
        isMet: dropped > 0 && responded > 0,
      },
    ],
  };
});
