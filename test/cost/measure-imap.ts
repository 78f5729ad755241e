import * as z from "zod";
import { untilIdle } from "../../cli/up/drain.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { createdScoutResponse } from "../../events/http/scouts.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { generatedMail, take } from "../bench/pipeline/generated-mail.ts";
import { requestsOf, since } from "../bench/pipeline/requests.ts";
import { onWarmSystem } from "../bench/pipeline/warm-system.ts";
import type { Figures } from "./figures.ts";
import { perItem } from "./measure.ts";

const emptyLooks = 5;
const owner = { user: "ada@example.com", password: "secret" };

/**
 * Counts the requests of `messages` at once in a mailbox at a mail server, and of `singles` wanted ones that are found one
 * by one, each by a look of its own: as a deployed home finds them, which nobody tells of news.
 */
export async function measureImap(messages: number, singles: number, seed: number): Promise<Figures["imap"]> {
  const server = await startImap({ users: [owner], without: ["IDLE"] });
  const deliver = (mail: readonly Uint8Array[]) => {
    for (const raw of mail)
      server
        .account()
        .find("INBOX")
        ?.deliver({ raw: Buffer.from(raw) });
  };
  const environment = { IMAP_UNITS_PER_MINUTE: "1000000" };
  const measure = async (system: LocalSystem) => {
    const settings = { host: "127.0.0.1", port: server.port, tls: "none", ...owner };
    const body = { sourceType: "imap", name: "Post", purpose: "What matters?", settings };
    const { id } = await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, body);
    const { signal } = new AbortController();
    const looked = async (mails: readonly (readonly Uint8Array[])[]) => {
      await untilIdle(system, signal);
      const before = requestsOf(system);
      for (const mail of mails) {
        deliver(mail);
        await askCloud(system.api, "POST", `/api/v1/scouts/${id}/run`, z.unknown());
        await untilIdle(system, signal);
      }
      return since(before, requestsOf(system));
    };
    const empty = await looked(Array.from({ length: emptyLooks }, () => []));
    const burst = await looked([take(generatedMail(seed), messages)]);
    const alone = await looked(take(generatedMail(seed + 1, true), singles).map((mail) => [mail]));
    return {
      burst: perItem(burst, messages),
      alone: perItem(alone, singles),
      emptySync: perItem(empty, emptyLooks),
    };
  };
  try {
    return await onWarmSystem(seed, measure, environment);
  } finally {
    await server.close();
  }
}
