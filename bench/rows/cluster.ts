import { join } from "node:path";
import { type Cluster, FOUR_SHARDS, type Layout, startCluster } from "../support/cluster.js";
import type { Measurement } from "../support/measurement.js";
import type { Row, Scale } from "../support/row.js";
import { measureFourShards } from "./cluster/four-shards.js";
import { measureImport } from "./cluster/import.js";
import { measureLateEvents } from "./cluster/late-events.js";
import { measureList } from "./cluster/list.js";
import { measureRollup } from "./cluster/rollup.js";

type ClusterMeasure = (scale: Scale, cluster: Cluster) => Promise<readonly Measurement[]>;

/** Imports, rollups and lists in the cluster of `examples/cluster`, compared with the engine itself. */
export const CLUSTER_ROWS: readonly Row[] = [
  rowOf("cluster:import", measureImport),
  rowOf("cluster:rollup", measureRollup),
  rowOf("cluster:four-shards", measureFourShards, FOUR_SHARDS),
  rowOf("cluster:late-events", measureLateEvents),
  rowOf("cluster:list", measureList),
];

function rowOf(name: string, measure: ClusterMeasure, layout?: Layout): Row {
  return {
    name,
    needs: {
      command: "clickhouse-client",
      install: "apt-get install clickhouse-client clickhouse-server haproxy postgresql zookeeper",
    },
    measure: async (scale, directory) => {
      const cluster = await startCluster(join(directory, "cluster"), layout);
      try {
        return await measure(scale, cluster);
      } finally {
        await cluster.stop();
      }
    },
  };
}
