import { once } from "node:events";
import { expect, test } from "vitest";
import { openContentChannel } from "../../../device/connection/content/content-channel.ts";
import { systemPorts } from "../../../device/connection/ports.ts";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { cutAll, sessionKey, sessionNumber } from "../content/setting.ts";
import { ManualClock } from "../manual-clock.ts";
import { folderSetting, numbered } from "./setting.ts";

test("cancelled in the middle: the cloud is told, what is there stays, the next scan asks for the rest only", async () => {
  const { cloud, store, projectId, link, rescan } = await folderSetting(numbered(20));
  cloud.fateOf = ({ relPath }) => (relPath < "007" ? "summary" : "silence");
  const abort = new AbortController();
  const progressed = (progress: { phase: string; done: number }) => {
    if (progress.phase === "summarize" && progress.done === 7) abort.abort();
  };
  const linking = await link({ signal: abort.signal, onProgress: progressed });

  expect(linking).toMatchObject({ status: "cancelled", isLinked: true, counts: { summarized: 7, tokensUsed: 70 } });
  expect(cloud.framesOf("index_session_cancel")).toHaveLength(1);
  expect(store.scoutRuns.list(projectId)[0]).toMatchObject({ status: "cancelled", summarizedFiles: 7 });
  expect(store.projects.get(projectId)).toMatchObject({ folderErrorCode: "scan_interrupted" });

  cloud.fateOf = () => "summary";
  const asked = cloud.sent.length;
  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 13 } });
  expect(cloud.sent.length - asked).toBe(13);
});

test("P2: a lost socket: what is unanswered is sent again in the same session, what is answered is not", async () => {
  const { cloud, link, summaries } = await folderSetting(numbered(40));
  cloud.fateOf = ({ relPath }) => (Number.parseInt(relPath, 10) % 2 === 0 ? "summary" : "silence");
  const linking = link();
  await cloud.until(() => cloud.sent.length === 40);
  cloud.fateOf = () => "summary";

  cutAll(cloud);

  expect(await linking).toMatchObject({ status: "completed", counts: { summarized: 40, tokensUsed: 400 } });
  const sessions = new Set(cloud.framesOf("index_file_batch").map(({ sessionId }) => sessionId));
  expect([sessions.size, cloud.framesOf("index_session_start").length]).toEqual([1, 1]);
  expect(cloud.sent.slice(40).toSorted()).toEqual(Object.keys(numbered(40)).filter((_, n) => n % 2 === 1));
  expect(Object.values(summaries())).not.toContain(null);
});

test("P2: batches that never reached the cloud go again, under their ids", async () => {
  const { cloud, link } = await folderSetting(numbered(12));
  let cuts = 2;
  cloud.onBatch = (_, connection) => {
    if (cuts === 0) return true;
    cuts -= 1;
    connection.cut();
    return false;
  };
  expect(await link()).toMatchObject({ status: "completed", counts: { summarized: 12 } });
  expect(new Set(cloud.sent).size).toBe(12);
});

test("results that come twice count once", async () => {
  const { cloud, link } = await folderSetting(numbered(6));
  cloud.onBatch = (frame, connection) => {
    for (const file of frame.files) cloud.answer(frame.sessionId, file, connection);
    return true;
  };
  expect(await link()).toMatchObject({ status: "completed", counts: { summarized: 6, tokensUsed: 60 } });
});

test("progress frames decide nothing: only results end the session", async () => {
  const { cloud, link } = await folderSetting(numbered(3));
  cloud.onBatch = ({ sessionId }, connection) => {
    connection.send({ type: "index_session_progress", sessionId, processed: 3, total: 3 });
    return true;
  };
  cloud.fateOf = ({ relPath }) => (relPath === "002.md" ? "silence" : "summary");
  const abort = new AbortController();
  const linking = link({ signal: abort.signal });
  await cloud.until(() => cloud.sent.length === 3);
  expect(cloud.framesOf("index_session_finish")).toEqual([]);
  abort.abort();
  expect(await linking).toMatchObject({ status: "cancelled", counts: { summarized: 2 } });
});

test("another session of the device ends the index session; the next scan goes on", async () => {
  const { cloud, store, projectId, link, rescan } = await folderSetting(numbered(3));
  cloud.fateOf = () => "silence";
  const linking = link();
  await cloud.until(() => cloud.sent.length === 3);
  cloud.sessionOf = () => ({ sessionId: sessionNumber(2), sessionKey });
  cutAll(cloud);
  expect(await linking).toMatchObject({ status: "error", reason: { code: "session_ended" } });
  expect(store.projects.get(projectId)).toMatchObject({ folderLastScanStatus: "error" });

  cloud.fateOf = () => "summary";
  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 3 } });
});

test("a cloud that stays away is an error with a code, not a scan for ever", async () => {
  const { cloud, store, projectId, link } = await folderSetting(numbered(3));
  cloud.fateOf = () => "silence";
  const openContent = () =>
    openContentChannel({
      api: { apiUrl: cloud.url, auth: async () => "token" },
      deviceId: store.identity.get().deviceId,
      ports: systemPorts,
      patienceMs: 0,
    });
  const linking = link({ openContent });
  await cloud.until(() => cloud.sent.length === 3);
  cutAll(cloud);
  expect(await linking).toMatchObject({ status: "error", reason: { code: "connection_lost" } });
  expect(store.projects.get(projectId).folderErrorCode).toBe("connection_lost");
});

test("a long silence is met by sending again; one that does not end is an error", async () => {
  const { cloud, store, link } = await folderSetting(numbered(1));
  const clock = new ManualClock(Date.now());
  cloud.fateOf = () => "silence";
  const channel = openContentChannel({
    api: { apiUrl: cloud.url, auth: async () => "token" },
    deviceId: store.identity.get().deviceId,
    ports: systemPorts,
  });
  // It comes after the batch was accepted, so the device knows that by then.
  cloud.onBatch = (frame, connection) => {
    const { sessionId } = frame;
    cloud.takeBatch(frame, connection);
    connection.send({ type: "index_session_progress", sessionId, processed: 0, total: 1 });
    return false;
  };
  let heard = once(channel.events, "frame");
  const linking = link({ clock, openContent: () => channel });
  for (const times of [1, 2, 3, 4, 5]) {
    await heard;
    // One turn for what awaits the frame before.
    await new Promise((resolve) => setImmediate(resolve));
    expect(cloud.sent).toHaveLength(times);
    heard = once(channel.events, "frame");
    clock.advance(60_000 * 2 ** (times - 1));
  }
  expect(await linking).toMatchObject({ status: "error", reason: { code: "answer_overdue" } });
});

test("a folder that is unlinked meanwhile ends the session, and nothing of it is stored", async () => {
  const { cloud, store, projectId, link } = await folderSetting(numbered(3));
  cloud.fateOf = () => "silence";
  const linking = link();
  await cloud.until(() => cloud.sent.length === 3);
  unlinkFolder(store, { id: projectId });
  const [connection] = cloud.connections;
  const [batch] = cloud.framesOf("index_file_batch");
  cloud.fateOf = () => "summary";
  for (const file of batch?.files ?? []) if (connection && batch) cloud.answer(batch.sessionId, file, connection);

  expect(await linking).toMatchObject({ status: "error", reason: { code: "scan_superseded" } });
  expect(store.folderFiles.list(projectId)).toEqual([]);
  expect(store.projects.get(projectId)).toMatchObject({ folderPath: null, folderLastScanStatus: "idle" });
});
