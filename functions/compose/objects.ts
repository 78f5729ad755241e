import { TransitBucket } from "../../shared/aws/transit-bucket.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

export const transit = once(() => new TransitBucket(linked("TransitBucket").name));
