import type { BucketNode } from "../graph.ts";
import type { Link, Linkable } from "./links.ts";
import { seconds } from "./names.ts";
import { Output } from "./output.ts";
import { registry } from "./registry.ts";

export interface BucketArgs {
  enforceHttps?: boolean;
  lifecycle?: { id?: string; prefix?: string; expiresIn?: string }[];
}

/** `sst.aws.Bucket` */
export class Bucket implements Linkable {
  readonly #node: BucketNode;

  constructor(name: string, args: BucketArgs = {}) {
    const bucketName = name.toLowerCase();
    this.#node = registry.add(registry.graph().buckets, {
      name,
      bucketName,
      arn: `arn:aws:s3:::${bucketName}`,
      enforceHttps: args.enforceHttps ?? true,
      lifecycle: (args.lifecycle ?? []).map(({ expiresIn, id, prefix }) => ({
        ...(id === undefined ? {} : { id }),
        ...(prefix === undefined ? {} : { prefix }),
        ...(expiresIn === undefined ? {} : { expiresInSeconds: seconds(expiresIn) }),
      })),
    });
  }

  get name(): Output<string> {
    return new Output(this.#node.bucketName);
  }
  get arn(): Output<string> {
    return new Output(this.#node.arn);
  }
  get nodes() {
    return { bucket: { bucket: this.name, arn: this.arn } };
  }

  link(): Link {
    return {
      name: this.#node.name,
      secret: false,
      properties: { name: this.#node.bucketName },
      permissions: [{ actions: ["s3:*"], resources: [this.#node.arn, `${this.#node.arn}/*`] }],
    };
  }
}
