import { at } from "#dist/model/collections.js";
import { largePage, SHAPES } from "../../support/data/large-page.js";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

const AT_ONCE = 16;

/** Requests large pages with `prettyPrint` or `fields`, 16 at a time. */
runAttack(async (target) => {
  let responded = 0;
  await keepDoing({ seconds: target.seconds, perSecond: 200, atOnce: AT_ONCE }, async (index) => {
    const [, shape] = at(SHAPES, index % SHAPES.length);
    const response = await fetch(`${target.messagingDataUrl}${largePage(target, index)}&${shape}`, {
      headers: { authorization: `Bearer ${target.token}` },
    });
    await response.arrayBuffer();
    if (response.ok) responded++;
  });
  return { did: `${responded} pages received, ${AT_ONCE} at a time` };
});
