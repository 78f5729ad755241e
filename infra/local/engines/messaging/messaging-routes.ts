import type { IncomingHttpHeaders } from "node:http";

/** What the engine of queues and objects may be asked: everything else is refused, whatever the engine would do with it. */
export type MessagingRoute =
  | { readonly kind: "queue"; readonly operation: string }
  | { readonly kind: "form"; readonly bucket: string }
  | {
      readonly kind: "object";
      readonly operation: string;
      readonly action: string;
      readonly bucket: string;
      /** Empty for a request on the bucket. */
      readonly key: string;
    };

export interface RoutedRequest {
  readonly method: string;
  /** As it came: not decoded, no dots taken out. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** The operations of SQS that functions, pollers and operators use. */
const queueOperations = new Set([
  "SendMessage",
  "SendMessageBatch",
  "ReceiveMessage",
  "DeleteMessage",
  "DeleteMessageBatch",
  "ChangeMessageVisibility",
  "ChangeMessageVisibilityBatch",
  "GetQueueAttributes",
]);
const queueBody = "application/x-amz-json-1.0";

/** Parameters of a request's address that do not make it another operation (S3 API reference, "Request Syntax"). */
const objectParameters =
  /^(x-id|list-type|prefix|delimiter|max-keys|start-after|continuation-token|encoding-type|x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|checksum-mode))$/;
/** Headers of the same kind: not `x-amz-copy-source`, which reads another object, nor `x-amz-rename-source`. */
const objectHeaders =
  /^x-amz-(date|content-sha256|security-token|user-agent|acl|checksum-(mode|algorithm|crc32c?|crc64nvme|sha1|sha256|type)|sdk-checksum-algorithm|trailer|decoded-content-length|meta-[\w-]+|expected-bucket-owner|request-payer|server-side-encryption|storage-class)$/;

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i;

/** @returns nothing for a request that is none of the known ones */
export function messagingRoute({ method, url, headers }: RoutedRequest): MessagingRoute | undefined {
  const target = headers["x-amz-target"];
  const contentType = headers["content-type"]?.trim().toLowerCase() ?? "";
  if (target !== undefined) {
    const operation = /^AmazonSQS\.(\w+)$/.exec(String(target))?.[1] ?? "";
    const known = method === "POST" && url === "/" && contentType === queueBody && queueOperations.has(operation);
    return known ? { kind: "queue", operation } : undefined;
  }
  const place = placeOf(url);
  if (place === undefined) return undefined;
  const { bucket, key, parameters } = place;
  if (method === "POST" && /^multipart\/form-data; *boundary=[^\s;"]+$/.test(headers["content-type"]?.trim() ?? "")) {
    return key === "" && parameters.length === 0 ? { kind: "form", bucket } : undefined;
  }
  // The engine takes every JSON or form for a message, where it is posted to the right place.
  if (contentType.includes(queueBody) || contentType.includes("form")) return undefined;
  if (Object.keys(headers).some((name) => name.startsWith("x-amz-") && !objectHeaders.test(name))) return undefined;
  const names = parameters.map((name) => name.toLowerCase());
  if (names.length !== new Set(names).size) return undefined;
  if (method === "POST" && key === "") {
    const others = names.filter((name) => name !== "delete" && name !== "x-id");
    if (!names.includes("delete") || others.length > 0) return undefined;
    return { kind: "object", operation: "DeleteObjects", action: "s3:DeleteObject", bucket, key: "" };
  }
  if (!names.every((name) => objectParameters.test(name))) return undefined;
  const found = (key === "" ? onBucket : onObject)[method];
  return found && { kind: "object", ...found, bucket, key };
}

type Operations = Readonly<Record<string, { readonly operation: string; readonly action: string }>>;

/** Which operation a path-style request is, and the right it needs (S3 service authorization reference). */
const onBucket: Operations = {
  GET: { operation: "ListObjectsV2", action: "s3:ListBucket" },
  HEAD: { operation: "HeadBucket", action: "s3:ListBucket" },
};
const onObject: Operations = {
  GET: { operation: "GetObject", action: "s3:GetObject" },
  HEAD: { operation: "HeadObject", action: "s3:GetObject" },
  PUT: { operation: "PutObject", action: "s3:PutObject" },
  DELETE: { operation: "DeleteObject", action: "s3:DeleteObject" },
};

/**
 * Bucket and key, decoded once. A path that could be read in two ways (dots that lead elsewhere, an encoded slash in the
 * bucket, what is no text) is no place: rights must be asked on the object the engine then takes.
 */
function placeOf(url: string): { bucket: string; key: string; parameters: string[] } | undefined {
  const [path = "", query = "", ...more] = url.split("?");
  if (more.length > 0 || url.includes("#") || /[\\;]/.test(path)) return undefined;
  try {
    const [root, bucket = "", ...rest] = path.split("/").map(decodeURIComponent);
    if (root !== "" || !bucketName.test(bucket)) return undefined;
    const key = rest.join("/");
    if (key.split("/").some((segment) => segment === "." || segment === "..")) return undefined;
    const parameters = query === "" ? [] : [...new URLSearchParams(query).keys()];
    return { bucket, key, parameters };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
