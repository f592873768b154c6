import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest specs, slowest first. Other specs start in order of their size. */
const LONGEST = [
  "test/cluster/clickhouse-store-cluster.spec.ts",
  "src/store/duckdb/duckdb-store.spec.ts",
  "test/console/looks.spec.ts",
  "test/docs/docs.spec.ts",
  "test/cluster/clickhouse-faults.spec.ts",
  "test/cluster/clickhouse-store-chdb.spec.ts",
  "test/cluster/example.spec.ts",
  "test/faults/soak.spec.ts",
  "test/console/projects.spec.ts",
  "test/console/overview.spec.ts",
  "test/cluster/process-faults.spec.ts",
  "test/real-clients/buf-curl.spec.ts",
  "test/faults/store-space.spec.ts",
  "test/cli/consume-amqp.spec.ts",
  "test/import/import-bombs.spec.ts",
  "test/faults/durability.spec.ts",
  "fuzz/fuzz.spec.ts",
];

/** Starts the slowest specs first. Otherwise, one of them might be the only one still running at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
