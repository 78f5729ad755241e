import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { drain } from "../../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../../cli/up/system.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { generatedMail, take } from "./generated-mail.ts";
import { tapWebhook, type WebhookTap } from "./webhook-tap.ts";

/**
 * Boots the whole product in a folder of its own with twenty mails, waits until they are judged, and hands it over with
 * a tap on its webhook and the mail that follows.
 *
 * @param environment what the product is told of the world, as by whoever starts it
 */
export async function onWarmSystem<T>(
  seed: number,
  use: (system: LocalSystem, tap: WebhookTap, mail: Generator<Uint8Array, never>) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "scouts-pipeline-"));
  const mail = generatedMail(seed);
  try {
    const mailboxPath = path.join(folder, "mail");
    await mkdir(mailboxPath);
    for (const [number, raw] of take(mail, 20).entries()) await writeFile(path.join(mailboxPath, `${number}.eml`), raw);
    const { signal } = new AbortController();
    const dataFolder = path.join(folder, "data");
    const system = await startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath, environment, signal });
    const tap = await tapWebhook(`${system.home.apiUrl}/api/v1/scouts/webhooks/gmail`);
    try {
      await drain(system, signal);
      system.world.push.setEndpoint(tap.url);
      return await use(system, tap, mail);
    } finally {
      await tap.close();
      await system.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
