import type { Chance } from "./chance.js";
import type { PlantedFault, Wishes } from "./random-traffic.js";

const ALL_OUTCOMES = 7;

/** Random traffic without a simulated problem. */
export function quiet(chance: Chance): Wishes {
  return { days: chance.whole(60, 150), labels: chance.whole(1, 12), faults: () => [] };
}

/** Labels with `volume` messages a day. The delivered share of one label drops permanently by `points`. */
export function fallOf(points: number, volume: number): (chance: Chance) => Wishes {
  return (chance) => {
    const delivered = chance.between(80, 95);
    const days = chance.whole(45, 90);
    return {
      days,
      labels: chance.whole(3, 8),
      volume,
      delivered,
      faults: (labels, firstDay) => [
        {
          label: labels[chance.whole(0, labels.length - 1)],
          from: firstDay + chance.whole(20, days - 8),
          to: firstDay + days,
          lost: points / delivered,
          into: chance.whole(1, ALL_OUTCOMES),
        },
      ],
    };
  };
}

/** Random traffic, with a problem of one label or of all labels that lasts from one day to several weeks. */
export function anyFault(chance: Chance): Wishes {
  const days = chance.whole(60, 150);
  return {
    days,
    labels: chance.whole(3, 12),
    faults: (labels, firstDay): PlantedFault[] => {
      const from = firstDay + chance.whole(days / 2 + 15, days - 8);
      return [
        {
          label: chance.happens(0.3) ? undefined : labels[chance.whole(0, labels.length - 1)],
          from,
          to: from + chance.whole(0, 30),
          lost: chance.between(0.2, 1),
          into: chance.whole(1, ALL_OUTCOMES),
        },
      ];
    },
  };
}
