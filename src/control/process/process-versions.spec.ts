import { describePublishedVersions } from "../testing/published-versions-conformance.js";
import { ProcessVersions } from "./process-versions.js";

describePublishedVersions("ProcessVersions", async () => new ProcessVersions());
