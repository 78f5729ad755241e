import { expect, test } from "vitest";
import { folderSetting, numbered } from "../e2e/folders/setting.ts";
import { giveCredentials, startBucket } from "./bucket-engine.ts";

test("a bucket is linked from the command line; a second scan sends nothing, a changed file is sent alone, a moved one not", async () => {
  giveCredentials();
  const bucket = await startBucket({ ...numbered(6), "src/main.ts": "export const answer = 42;", "x.xyz": "not read" });
  const { project, scan, summaries, asked } = await folderSetting({});
  const place = ["s3://garden/docs", "--endpoint", bucket.endpoint];
  expect(await scan("link", "papers", ...place)).toMatchObject({ status: "completed", summarized: 7, failed: 0 });
  expect(await summaries()).toMatchObject({ "000.md": "This is 000.md.", "src/main.ts": "This is main.ts." });
  expect(await scan("rescan", "Papers")).toMatchObject({ status: "completed", newFiles: [], summarized: 0 });
  expect(asked).toHaveLength(7);

  await bucket.put("docs/003.md", "Something else.");
  expect(await scan("rescan", "Papers")).toMatchObject({ changedFiles: ["003.md"], summarized: 1 });
  await bucket.move("docs/004.md", "docs/src/moved.md");
  const moved = { from: "004.md", to: "src/moved.md" };
  expect(await scan("rescan", "Papers")).toMatchObject({ renamedFiles: [moved], summarized: 0 });
  expect(asked.slice(7)).toEqual(["003.md"]);

  // The same place, reached in another way: nothing is read anew.
  expect(await scan("link", "Papers", ...place, "--writable")).toMatchObject({ newFiles: [], summarized: 0 });
  const { stdout } = await project("list", "--json");
  expect(JSON.parse(stdout)).toMatchObject([{ folderPath: bucket.address({ isWritable: true }), folderTotalFiles: 7 }]);
  expect(await project("unlink", "Papers")).toMatchObject({ code: 0 });
  expect(await project("files", "Papers")).toMatchObject({ code: 5, stdout: "" });
}, 240_000);
