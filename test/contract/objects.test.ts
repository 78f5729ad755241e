import { S3Client } from "@aws-sdk/client-s3";
import { TransitBucket } from "../../shared/aws/transit-bucket.ts";
import { startFixture } from "../local/start-fixture.ts";
import { MemoryObjects } from "../memory/objects.ts";
import { objectsContract } from "./objects-contract.ts";

objectsContract("in memory", async () => ({ objects: new MemoryObjects(), close: async () => {} }));

objectsContract("in S3 (the home's engine)", async () => {
  const fixture = await startFixture();
  const { operator } = fixture.home;
  const client = new S3Client({ ...operator, endpoint: operator.endpoints.s3 });
  return {
    objects: new TransitBucket("box", client),
    async close() {
      client.destroy();
      await fixture[Symbol.asyncDispose]();
    },
  };
});
