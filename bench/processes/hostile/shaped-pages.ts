import { largePage } from "../../support/data/large-page.js";
import { answerAttack, keepDoing } from "../../support/reads/attack.js";

const AT_ONCE = 16;
const SHAPES = ["prettyPrint=true", "fields=androidDeliveryData(appId,date,data(messageOutcomePercents))"];

/** Requests large pages indented or partially, 16 at a time. */
answerAttack(async (target) => {
  let answered = 0;
  await keepDoing({ seconds: target.seconds, perSecond: 200, atOnce: AT_ONCE }, async (index) => {
    const shape = SHAPES[index % SHAPES.length];
    const answer = await fetch(`${target.messagingDataUrl}${largePage(target, index)}&${shape}`, {
      headers: { authorization: `Bearer ${target.token}` },
    });
    await answer.arrayBuffer();
    if (answer.ok) answered++;
  });
  return { did: `${answered} pages answered, ${AT_ONCE} at a time` };
});
