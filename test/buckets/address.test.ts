import { expect, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { bucketAddressText, parseBucketAddress } from "../../device/files/place/bucket-address.ts";
import { folderName, isSameFolder, placeOf } from "../../device/files/place/folder-place.ts";

const codeOf = (address: string): string => {
  try {
    parseBucketAddress(address);
    return "none";
  } catch (error) {
    return isDeviceError(error) ? error.code : String(error);
  }
};

test("an address has one spelling, which says all of it", () => {
  const address = "s3://b-1/a/b c?endpoint=https://minio.example.org:9000/s3&region=eu-west-1&profile=me&writable=true";
  expect(parseBucketAddress(address)).toEqual({
    bucket: "b-1",
    prefix: "a/b c",
    endpoint: "https://minio.example.org:9000/s3",
    region: "eu-west-1",
    profile: "me",
    isWritable: true,
  });
  expect(bucketAddressText(parseBucketAddress(address))).toBe(address);
  for (const spelling of ["s3://bucket", "S3://bucket/", "s3://bucket/?writable=false"]) {
    expect(bucketAddressText(parseBucketAddress(spelling))).toBe("s3://bucket/");
  }
  const odd = bucketAddressText({ bucket: "bucket", prefix: "100%/what?/#1", isWritable: false });
  expect(parseBucketAddress(odd).prefix).toBe("100%/what?/#1");
});

test.each([
  "s3://",
  "s3://a",
  "s3:///prefix",
  "s3://buck et/x",
  "s3://bucket/../x",
  "s3://bucket/a//b",
  "s3://bucket/a/./b",
  "s3://bucket/%zz",
  "s3://bucket/%00",
  "s3://bucket/%2e%2e/x",
  "s3://bucket/x#y",
  "s3://bucket/x?secret=1",
  "s3://bucket/x?writable=yes",
  "s3://bucket/x?profile=a%0Ab",
  "s3://bucket/x?endpoint=ftp://example.org",
  "s3://bucket/x?endpoint=minio:9000",
  "s3://bucket/x?endpoint=https://user:word@example.org",
  "s3://bucket/x?endpoint=https://",
])("what is no address is refused: %s", (address) => {
  expect(codeOf(address)).toBe("usage");
});

test("a service that is not encrypted is asked on this machine only", () => {
  for (const host of ["127.0.0.1:9000", "localhost:9000", "[::1]:9000"]) {
    expect(codeOf(`s3://bucket/x?endpoint=http://${host}`)).toBe("none");
  }
  const elsewhere = ["169.254.169.254", "10.0.0.1:9000", "[fd00:ec2::254]", "example.org", "127.0.0.1.example.org"];
  for (const host of elsewhere) {
    expect(codeOf(`s3://bucket/x?endpoint=http://${host}`)).toBe("address_insecure");
  }
});

test("a folder is known by its place, however it is reached", () => {
  const one = "s3://bucket/a/b?endpoint=https://minio.example.org&profile=me&writable=true";
  const other = "s3://bucket/a/b?endpoint=https://minio.example.org&region=eu-west-1";
  expect(isSameFolder(one, other)).toBe(true);
  expect(placeOf(one)).toBe("s3://bucket/a/b?endpoint=https://minio.example.org");
  expect(isSameFolder(one, "s3://bucket/a/b")).toBe(false);
  expect([one, "s3://bucket/", "/home/me/garden"].map(folderName)).toEqual(["b", "bucket", "garden"]);
});
