import { createHash, randomBytes } from "node:crypto";
import { ulid } from "ulidx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { sessionId } from "../../events/ids.ts";
import { objectKey, type Payload } from "../../events/payload.ts";
import { SessionSealer } from "../../shared/privacy/session-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { quick } from "../rounds.ts";
import { writeCanaryMail } from "./canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { connectRaw, frameId, type RawDevice } from "./raw-device.ts";
import type { Finding } from "./scan/scanner.ts";
import { upload } from "./upload.ts";

type Frame = Readonly<Record<string, unknown>>;

/** A folder is summarised: files in frames and uploaded, an image, one that fails, frames that are wrong, a cancelled scan. */
describe("P1: nothing of a folder is readable at rest in the cloud", () => {
  const index = `idx_${ulid()}`;
  const projectId = `prj_${ulid()}`;
  const results: Frame[] = [];
  let running: CanarySystem;
  let device: RawDevice;
  let sealer: SessionSealer;
  let done: Frame;
  let inStores: Finding[];
  let inFiles: Finding[];

  beforeAll(async () => {
    running = await startCanarySystem((folder, canaries) => void writeCanaryMail(folder, canaries));
    const { canaries, system } = running;
    device = await connectRaw(system);
    device.send({ type: "hello", id: frameId(), protocol: 1, deviceId: device.deviceId });
    const ready = await device.next("session_ready");
    canaries.watch("session key", String(ready["sessionKey"]));
    sealer = new SessionSealer(sessionId.parse(ready["sessionId"]), new Transient(String(ready["sessionKey"])));

    await say({ type: "index_session_start", sessionId: index, projectId, totalFiles: 4 });
    await say({
      type: "index_file_batch",
      sessionId: index,
      files: [await inFrame(), await uploaded(), await image()],
    });
    await say({ type: "index_file_batch", sessionId: index, files: [await neverUploaded()] });
    for (let count = 0; count < 4; count += 1) results.push(await device.next("index_file_result"));
    await wrongFrames();
    await say({ type: "index_session_finish", sessionId: index });
    done = await device.next("index_session_done");
    await cancelled();
    await drain(system, new AbortController().signal);
    // In the short run success.test.ts runs them.
    if (!quick) await running.runCrons();

    inStores = await running.lookIntoStores();
    device.send({ type: "bye", id: frameId() });
    await device.next("accepted");
    await device.close();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(() => running?.remove());

  async function say(frame: object): Promise<void> {
    device.send({ id: frameId(), ...frame });
    await device.next("accepted");
  }

  const file = (path: string, kind: string, content: Payload, text: string) => ({
    relPath: `${running.canaries.plant("folder")}/${path}`,
    kind,
    content,
    contentHash: createHash("sha256").update(text).digest("hex"),
    sizeBytes: text.length,
    mtimeMs: 0,
  });

  async function inFrame() {
    const text = `# ${running.canaries.plant("title of a file")}\n\nThis is about ${running.canaries.plant("text of a file")}.\n`;
    return file(`${running.canaries.plant("name of a file")}.md`, "text", { inline: text }, text);
  }

  async function uploaded() {
    const text = `export function ${running.canaries.plant("function in a file")}() {}\n`;
    return file(`${running.canaries.plant("name of a file")}.ts`, "text", await uploadText(text), text);
  }

  async function image() {
    const bytes = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), randomBytes(32)]);
    const url = `data:image/png;base64,${bytes.toString("base64")}`;
    return file(`${running.canaries.plant("name of an image")}.png`, "image", await uploadText(url), url);
  }

  const uploadText = (text: string) => upload(running.system, device.deviceId, sealer, text);

  async function neverUploaded() {
    const { key } = (await uploadText("")).upload;
    const other = objectKey.parse(`${key.slice(0, -26)}${ulid()}`);
    return file("lost.md", "text", { upload: { key: other, bytes: 9 } }, "lost");
  }

  /** Errors quote their input; none of it may be written down. */
  async function wrongFrames(): Promise<void> {
    const [good, secret] = [await inFrame(), running.canaries.plant("field of a wrong frame")];
    const wrong = [
      { type: "index_file_batch", id: frameId(), sessionId: index, files: [{ ...good, kind: secret }] },
      { type: "index_file_batch", id: frameId(), sessionId: `idx_${ulid()}`, files: [good] },
      { type: "index_file_batch", id: frameId(), sessionId: index, files: [{ ...good, mtimeMs: -1 }] },
      { type: "index_session_start", id: frameId(), sessionId: secret, projectId, totalFiles: 1 },
      { type: "index_session_start", id: frameId(), sessionId: index, projectId, totalFiles: 1 },
    ];
    for (const frame of wrong) {
      device.send(frame);
      await device.next("error");
    }
    device.sendRaw(`{"type":"index_file_batch","files":[{"relPath":"${secret}`);
    await device.next("error");
  }

  /** Files that are on the queue when their scan is given up. */
  async function cancelled(): Promise<void> {
    const other = `idx_${ulid()}`;
    await say({ type: "index_session_start", sessionId: other, projectId, totalFiles: 2 });
    const files = [await inFrame(), await uploaded()];
    device.send({ type: "index_file_batch", id: frameId(), sessionId: other, files });
    device.send({ type: "index_session_cancel", id: frameId(), sessionId: other });
    await device.next("index_session_done");
  }

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and that means something: the device was told what its files are about", () => {
    const told = JSON.stringify(results);
    for (const label of ["title of a file", "function in a file", "name of an image"]) {
      const [first] = running.canaries.all.filter((canary) => canary.label === label);
      expect(told).toContain(first?.text);
    }
    expect(results.filter((each) => each["error"] === "upload_missing")).toHaveLength(1);
    expect(done).toMatchObject({ status: "completed", processed: 4 });
  });
});
