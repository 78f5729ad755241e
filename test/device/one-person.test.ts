import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { startIssuer } from "../../infra/standins/issuer/start.ts";
import { ownerSecret, visitAsOwner } from "../standins/owner.ts";
import { type FakeCloud, makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { startCloud, temporaryFolder } from "./setting.ts";

interface Setting {
  readonly cloud: FakeCloud;
  readonly data: string;
  /** One command line on the data folder. */
  scouts(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Signs somebody in. */
  login(who: string): Promise<{ code: number; stdout: string; stderr: string }>;
}

async function setting(): Promise<Setting> {
  let person = "";
  const stateDir = temporaryFolder();
  const issuer = await startIssuer({ audience: "scouts", ownerSecret, stateDir, signIn: () => person });
  onTestFinished(() => issuer.close());
  const cloud = await startCloud();
  cloud.onFrame = (frame, connection) => {
    const content = { subject: "S", sender: "a@example.com", part: 1, parts: 1, text: "Hello" };
    if (frame.type === "scout_item_request") {
      connection.send({ type: "scout_item", inReplyTo: frame.id, proposalId: frame.proposalId, ...content });
      return "handled";
    }
    if (frame.type !== "scout_items_request") return "default";
    const parts = frame.proposalIds.map((proposalId) => ({ proposalId, ...content }));
    connection.send({ type: "scout_items", inReplyTo: frame.id, parts, refused: [] });
    return "handled";
  };
  const data = temporaryFolder();
  const scouts = async (...words: string[]) => {
    const stdout = new Screen();
    const stderr = new (class extends Screen {
      override _write(chunk: Buffer, encoding: string, done: () => void): void {
        super._write(chunk, encoding, done);
        const address = /Sign in at (\S+)/.exec(chunk.toString())?.[1];
        if (address !== undefined) void visitAsOwner(address);
      }
    })();
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: readEnvironment({}), workingFolder: data, ...systemTimeAndIds };
    const code = await runCommand([...words, "--data", data], context, "1");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
  const login = (who: string) => {
    person = who;
    const where = ["--api", cloud.url, "--issuer", issuer.url, "--client-id", "scouts-cli"];
    return scouts("login", "--no-browser", ...where);
  };
  return { cloud, data, scouts, login };
}

const signInOf = (data: string) => readFileSync(path.join(data, "device", "credentials.json"), "utf8");

test("a data folder that holds what one person's scouts have found is signed in to by nobody else", async () => {
  const { cloud, data, scouts, login } = await setting();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  await login("ada");
  expect(await scouts("connect", "--once")).toMatchObject({ code: 0 });
  const adas = signInOf(data);

  const bens = await login("ben");
  expect(bens).toMatchObject({ code: 4, stdout: "" });
  expect(bens.stderr).toContain("--data");
  expect(bens.stderr).toContain("(person_other)");
  expect(signInOf(data)).toBe(adas);

  expect(await login("ada")).toMatchObject({ code: 0 });
  expect(await scouts("connect", "--once")).toMatchObject({ code: 0 });
});

test("a decision that waits is sent as who made it, and never under somebody else's sign-in", async () => {
  const { cloud, data, scouts, login } = await setting();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  await login("ada");
  await scouts("connect", "--once");
  const adas = signInOf(data);
  await scouts("proposals", "reject", "msg-1");
  const before = cloud.frames.length;

  // As an earlier version, which asked nobody, has left it.
  const elsewhere = await setting();
  await elsewhere.login("ben");
  const { accessToken, refreshToken } = JSON.parse(signInOf(elsewhere.data));
  writeFileSync(
    path.join(data, "device", "credentials.json"),
    JSON.stringify({ ...JSON.parse(adas), accessToken, refreshToken }),
  );
  expect(await scouts("connect", "--once")).toMatchObject({ code: 4 });
  expect(cloud.frames.length).toBe(before);

  writeFileSync(path.join(data, "device", "credentials.json"), adas);
  expect(await scouts("connect", "--once")).toMatchObject({ code: 0 });
  expect(cloud.framesOf("scout_proposal_resolved").map(({ proposalId }) => proposalId)).toEqual([makeProposal(1).id]);
});

test("who has signed in and fetched nothing yet may sign in as somebody else", async () => {
  const { scouts, login } = await setting();
  await login("ada");
  expect(await login("ben")).toMatchObject({ code: 0 });
  expect(await scouts("connect", "--once")).toMatchObject({ code: 0 });
});
