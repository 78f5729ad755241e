import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { systemRetries } from "../../../shared/ports/clock.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { whole } from "../../rounds.ts";
import type { ModelReply } from "../scripted-model.ts";
import { type FolderSetting, folderSetting, numbered } from "./setting.ts";

const timeoutMs = 240_000;
/**
 * The plan pays for five. About 900 tokens are set aside for each before it is known what it took: of fewer than 111 files all
 * could be at work before the first is counted, and nothing would run out.
 */
const fileCount = 120;

/** The owner of a home is not rationed; this one is. */
async function setTier({ system: { home, world } }: FolderSetting, tier: "free" | "power"): Promise<void> {
  const { region, credentials, endpoints } = home.operator;
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const table = new DynamoTable(home.graph.tables["Ledger"]?.tableName ?? "", systemRetries, client);
  await new AccountStore(table).setTier(userIdOf(world.issuer.url, "owner"), tier);
  client.destroy();
}

/** An answer that took so many tokens. */
function costly(name: string, tokens: number): ModelReply {
  const content = JSON.stringify({ summary: `This is ${name}.`, tag: "doc" });
  const usage = { prompt_tokens: tokens - 10, completion_tokens: 10, total_tokens: tokens };
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  const body = { id: "c", object: "chat.completion", created: 0, model: "scripted-1", choices, usage };
  return { status: 200, body: JSON.stringify(body) };
}

test.skipIf(!whole)(
  "a folder with more files than the plan covers is not linked, and nothing is sent",
  async () => {
    const setting = await folderSetting(numbered(201));
    await setTier(setting, "free");
    const refused = await setting.project("link", "Papers", setting.root, "--json");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/plan free covers 200 files a folder \(201 .*was not linked\. \(folder_max_files\)/);
    expect(setting.asked).toEqual([]);
    const { stdout } = await setting.project("list", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ folderPath: null, folderLastScanStatus: "idle" }]);
  },
  timeoutMs,
);

test(
  "the month's tokens run out in the middle: what is there stays, what waits is said in every view, a higher plan goes on (4.2)",
  async () => {
    const setting = await folderSetting(numbered(fileCount));
    await setTier(setting, "free");
    setting.reply((name) => costly(name, 20_000));

    const ended = await setting.scan("link", "Papers", setting.root);

    expect(ended).toMatchObject({ status: "quota_exceeded", reason: { code: "quota_exceeded" }, failed: 0 });
    expect(ended.summarized).toBeGreaterThanOrEqual(4);
    expect(ended.summarized).toBeLessThan(fileCount);
    expect(ended.tokensUsed).toBe(ended.summarized * 20_000);
    const kept = Object.values(await setting.summaries()).filter((summary) => summary !== null);
    expect(kept).toHaveLength(ended.summarized);
    expect((await setting.project("list")).stdout).toMatch(/error.*\n.*plan free covers 100,000 tokens a month/);

    // 4.2: what does not fit waits, and every view says so.
    const waiting = fileCount - ended.summarized;
    const files = await setting.project("files", "Papers", "--state", "waiting", "--json");
    expect(JSON.parse(files.stdout)).toHaveLength(waiting);
    expect((await setting.project("files", "Papers")).stdout).toContain("waits for the month's tokens");
    expect((await setting.project("list")).stdout.replace(/\s+/g, " ")).toContain(
      `${waiting} files wait: taken up by itself`,
    );

    const refused = await setting.scan("rescan", "Papers");
    expect(refused).toMatchObject({ status: "quota_exceeded", reason: { code: "folder_monthly_tokens" } });

    await setTier(setting, "power");
    setting.reply((name) => costly(name, 20));
    const asked = setting.asked.length;
    expect(await setting.scan("rescan", "Papers")).toMatchObject({
      summarized: fileCount - ended.summarized,
      reason: null,
    });
    expect(setting.asked.length - asked).toBe(fileCount - ended.summarized);
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "4.2: fifty notes of 28 kB fit the free plan: the guess from their sizes refuses nobody",
  async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [
        `${n}.md`,
        `# Note ${n}\n\n${`Water bed ${n} on Thursday. `.repeat(1_040)}\n`,
      ]),
    );
    const setting = await folderSetting(notes);
    await setTier(setting, "free");
    setting.reply((name) => costly(name, 1_882));
    const ended = await setting.scan("link", "Papers", setting.root);
    expect(ended).toMatchObject({ status: "completed", summarized: 50, tokensUsed: 94_100, failed: 0 });
  },
  timeoutMs,
);
