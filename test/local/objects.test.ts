import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import { describe, expect, it } from "vitest";
import { type Fixture, startFixture } from "./start-fixture.ts";

const clientOf = ({ home: { operator } }: Fixture) => new S3Client({ ...operator, endpoint: operator.endpoints.s3 });

const codeIn = async (response: Response) => /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];

describe("presigned posts", () => {
  const offer = (client: S3Client, expiresSeconds = 60) =>
    createPresignedPost(client, {
      Bucket: "box",
      Key: "user/session/1",
      Conditions: [["content-length-range", 1, 10]],
      Expires: expiresSeconds,
    });
  const post = (
    { url, fields }: Awaited<ReturnType<typeof offer>>,
    file: string,
    change: Record<string, string> = {},
  ) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...change })) form.append(name, value);
    form.append("file", new Blob([file]));
    return fetch(url, { method: "POST", body: form });
  };

  it("store what the policy allows", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture);
    expect((await post(await offer(client), "sealed")).status).toBe(204);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: "box", Key: "user/session/1" }));
    expect(await Body?.transformToString()).toBe("sealed");
    client.destroy();
  });

  it("are refused when too large, too small, expired, under another key, with another policy or signature", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture);
    const offered = await offer(client);
    const loose = Buffer.from(JSON.stringify({ expiration: "2999-01-01T00:00:00Z", conditions: [] })).toString(
      "base64",
    );
    expect(await codeIn(await post(offered, "12345678901"))).toBe("EntityTooLarge");
    expect(await codeIn(await post(offered, ""))).toBe("EntityTooSmall");
    expect(await codeIn(await post(await offer(client, -1), "x"))).toBe("AccessDenied");
    expect(await codeIn(await post(offered, "x", { key: "user/other/1" }))).toBe("AccessDenied");
    expect(await codeIn(await post(offered, "x", { acl: "public-read" }))).toBe("AccessDenied");
    expect(await codeIn(await post(offered, "x", { Policy: loose }))).toBe("SignatureDoesNotMatch");
    expect(await codeIn(await post(offered, "x", { "X-Amz-Signature": "00" }))).toBe("SignatureDoesNotMatch");
    expect(await codeIn(await post(offered, "x", { "X-Amz-Credential": "AKIANOBODY/d/r/s3/aws4_request" }))).toBe(
      "InvalidAccessKeyId",
    );
    await expect(client.send(new GetObjectCommand({ Bucket: "box", Key: "user/session/1" }))).rejects.toMatchObject({
      name: "NoSuchKey",
    });
    client.destroy();
  });
});

describe("conditional puts", () => {
  it("write once: If-None-Match finds what is there", async () => {
    await using fixture = await startFixture();
    const client = clientOf(fixture);
    const put = (Body: string) =>
      client.send(new PutObjectCommand({ Bucket: "box", Key: "a/b c", Body, IfNoneMatch: "*" }));
    await put("first");
    await expect(put("second")).rejects.toMatchObject({ name: "PreconditionFailed" });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: "box", Key: "a/b c" }));
    expect(await Body?.transformToString()).toBe("first");
    client.destroy();
  });
});

describe("a bucket", () => {
  it("keeps its objects over a restart", async () => {
    await using fixture = await startFixture();
    const before = clientOf(fixture);
    await before.send(new PutObjectCommand({ Bucket: "box", Key: "k", Body: "v" }));
    before.destroy();
    await fixture.restart();
    const after = clientOf(fixture);
    const { Body } = await after.send(new GetObjectCommand({ Bucket: "box", Key: "k" }));
    expect(await Body?.transformToString()).toBe("v");
    after.destroy();
  });
});
