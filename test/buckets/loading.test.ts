import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../device/files/backends/s3/", import.meta.url));
const sources = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}${name}`, "utf8") }));
/** What a module loads as soon as it is itself. */
const loads = (text: string) => [...text.matchAll(/^import (?!type )[^;]*? from "([^"]+)"/gms)].map(([, from]) => from);

test("a program that uses no bucket does not load Amazon's SDK", () => {
  const withSdk = sources.filter(({ text }) => loads(text).includes("@aws-sdk/client-s3")).map(({ name }) => name);
  expect(withSdk).toEqual(["bucket-client.ts", "bucket-failure.ts", "project-bucket.ts"]);
  const besides = sources.filter(({ name }) => !withSdk.includes(name));
  for (const { name, text } of besides) {
    expect(
      loads(text).filter((from) => withSdk.includes(from?.replace("./", "") ?? "")),
      name,
    ).toEqual([]);
  }
});
