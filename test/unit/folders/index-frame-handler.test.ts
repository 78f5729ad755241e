import { beforeEach, describe, expect, test } from "vitest";
import { type ObjectKey, objectKey } from "../../../events/payload.ts";
import { newObjectKey } from "../../../shared/devices/payloads.ts";
import type { Session } from "../../../shared/devices/session-store.ts";
import { newId } from "../../memory/chance.ts";
import { bob, phone } from "../scouts/setting.ts";
import { FolderCloud } from "./cloud.ts";
import { frame, index, project, textFile } from "./setting.ts";

let cloud: FolderCloud;
let session: Session;
beforeEach(async () => {
  cloud = new FolderCloud();
  session = await cloud.hello();
});

const upload = (key: ObjectKey, relPath = "photo.png") => ({
  ...textFile(relPath),
  kind: "image" as const,
  content: { upload: { key, bytes: 100 } },
});

describe("index_session_start", () => {
  test("is accepted, and again when the same frame is sent again", async () => {
    for (const _ of [1, 2])
      expect(await cloud.start(10, frame("9"))).toEqual({ type: "accepted", inReplyTo: frame("9") });
  });

  test("an id that names another index session is refused", async () => {
    await cloud.start(10, frame("8"));
    await expect(cloud.start(10, frame("9"))).rejects.toMatchObject({ code: "conflict" });
  });

  test("4.2: a folder over the tier's number of files is refused with tier and limit", async () => {
    await expect(cloud.start(201)).rejects.toMatchObject({
      code: "folder_max_files",
      data: { tier: "free", limit: 200, used: 201, resetsAt: null },
    });
    await cloud.accounts.setTier(cloud.from.userId, "pro");
    expect(await cloud.start(5_000)).toMatchObject({ type: "accepted" });
  });
});

describe("index_file_batch", () => {
  test("P1: one sealed message a file, nothing of path or content in it", async () => {
    await cloud.start();
    const files = [textFile("secret/plan.md", "buy the island"), textFile("secret/other.md", "sell the boat")];
    expect(await cloud.send(files)).toMatchObject({ type: "accepted" });
    const bodies = cloud.queue.bodies();
    expect(bodies).toHaveLength(2);
    expect(bodies.join()).not.toMatch(/secret|plan|island|boat/);
    expect(JSON.stringify(cloud.sessionsTable.dump())).not.toMatch(/secret|plan|island|boat/);
  });

  test("is not accepted unless the queue took all of it", async () => {
    await cloud.start();
    cloud.ports.summarize.send = () => Promise.reject(new Error("the queue is down"));
    await expect(cloud.send([textFile("a.md")])).rejects.toThrow();
  });

  test("P1: an object outside its own session's prefix is refused, whoever's it is", async () => {
    await cloud.start();
    const theirs = newObjectKey(bob, session.sessionId, newId);
    const earlier = objectKey.parse(
      newObjectKey(cloud.from.userId, session.sessionId, newId).replace("/ses_01", "/ses_00"),
    );
    for (const key of [theirs, earlier]) {
      await expect(cloud.send([upload(key)])).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(cloud.queue.length).toBe(0);
  });

  test("needs an index session of this device and session that has not ended", async () => {
    await expect(cloud.send([textFile("a.md")])).rejects.toMatchObject({ code: "index_unknown" });
    await cloud.start();
    await cloud.sessions.resume(cloud.from.userId, phone, "c2", cloud.nowMs);
    const fromPhone = { ...cloud.from, deviceId: phone, connectionId: "c2" };
    await expect(cloud.send([textFile("a.md")], fromPhone)).rejects.toMatchObject({ code: "index_unknown" });
    await cloud.cancel();
    await expect(cloud.send([textFile("a.md")])).rejects.toMatchObject({ code: "index_ended" });
    await cloud.sessions.end(cloud.from.userId, cloud.from.deviceId, cloud.nowMs);
    await cloud.hello();
    await expect(cloud.send([textFile("a.md")])).rejects.toMatchObject({ code: "index_ended" });
  });

  test("P2: a file that has its result is answered with it at once and not queued", async () => {
    await cloud.start();
    const key = newObjectKey(cloud.from.userId, session.sessionId, newId);
    await cloud.send([textFile("a.md")]);
    await cloud.workAll();
    const [first] = cloud.frames("index_file_result");
    await cloud.objects.put(key, new Uint8Array(1));
    const again = { ...textFile("a.md"), content: { upload: { key, bytes: 1 } } };
    await cloud.send([again, textFile("b.md")]);
    expect(cloud.frames("index_file_result")).toEqual([first, first]);
    expect(cloud.queue.length).toBe(1);
  });

  test("a file whose content has changed is another piece of work", async () => {
    await cloud.start();
    await cloud.send([textFile("a.md", "one")]);
    await cloud.workAll();
    await cloud.send([textFile("a.md", "two")]);
    expect(cloud.queue.length).toBe(1);
  });
});

describe("the end of an index session", () => {
  test("finish: accepted, then totals from the files' rows, and a run in the person's history", async () => {
    await cloud.start();
    await cloud.send([textFile("a.md"), textFile("b.md")]);
    await cloud.workAll();
    cloud.nowMs += 5_000;
    const done = await cloud.finish();
    expect(done).toEqual({
      type: "index_session_done",
      sessionId: index,
      status: "completed",
      processed: 2,
      tokensUsed: 240,
    });
    expect(cloud.posted.at(-1)?.frame).toMatchObject({ type: "accepted" });
    const runs = cloud.ledger.dump().filter(({ sk }) => sk.startsWith("RUN#"));
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      kind: "index",
      projectId: project,
      outcome: "completed",
      files: 2,
      tokens: 240,
      prompts: ["folder_file_summary_text@1"],
      models: ["told-1"],
    });
  });

  test("the first end counts; said again it is answered the same", async () => {
    await cloud.start();
    expect(await cloud.cancel()).toMatchObject({ status: "cancelled" });
    expect(await cloud.cancel()).toMatchObject({ status: "cancelled" });
    expect(await cloud.finish()).toMatchObject({ status: "cancelled" });
    expect(cloud.ledger.dump().filter(({ sk }) => sk.startsWith("RUN#"))).toHaveLength(1);
  });
});
