import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { untilIdle } from "../../cli/up/drain.ts";
import { Counter, type ItemCounts, judged } from "../../cli/up/item-counts.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { tellOfNews } from "../../cli/up/tell-of-news.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ScoutId } from "../../events/ids.ts";
import type { Faults } from "../../infra/standins/imap/faults.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { parseScoutRow } from "../../shared/scouts/scout-row.ts";
import { generatedMail } from "../bench/pipeline/generated-mail.ts";
import { comesUp, runProgram, start } from "./chaos-run.ts";
import { rowsOf } from "./rows.ts";
import { differs, type Finding } from "./verify.ts";

const user = "ada@example.com";
const password = "secret";
const scoutName = "chaos";
/** What a person sets who reads a server of their own: it is not spared. */
const environment = { IMAP_UNITS_PER_MINUTE: "1000000", MAIL_PASSWORD: password };
/** How long a home may live before it is killed. */
const livesMs = { least: 8_000, most: 25_000 };
/** The connection is cut before, in, and after these. */
const commands = ["LOGIN", "EXAMINE", "UID SEARCH", "UID FETCH", "STATUS"];
const cuts = ["dropsBefore", "dropsDuring", "dropsUnanswered"] as const;
/** Rounds in which nothing comes to its end before what is missing counts as lost. */
const maxQuietRounds = 5;

interface Options {
  readonly messages: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/**
 * A mailbox at a server that cuts its connections, read by a home that is killed with SIGKILL again and again; then the home
 * runs in peace, and every message is looked for: a row with an end for each, and each of those that are shown on the
 * device, once.
 */
export async function imapUnderKills({
  messages,
  kills,
  seed,
  say,
}: Options): Promise<{ facts: Readonly<Record<string, number>>; findings: Finding[] }> {
  const random = seededRandom(seed);
  const mail = generatedMail(seed);
  const startedAt = performance.now();
  const folder = await mkdtemp(path.join(tmpdir(), "scouts-imap-"));
  const [dataFolder, mailboxPath] = [path.join(folder, "data"), path.join(folder, "mail")];
  await mkdir(mailboxPath);
  await writeFile(path.join(mailboxPath, "one.eml"), mail.next().value);
  const server = await startImap({ users: [{ user, password }] });
  const inbox = server.account().find("INBOX");
  if (!inbox) throw new Error("there is no INBOX");
  const share = Math.ceil(messages / (kills + 1));
  const deliver = () => {
    for (let more = Math.min(share, messages - inbox.messages.length); more > 0; more -= 1) {
      inbox.deliver({ raw: Buffer.from(mail.next().value) });
    }
  };
  let peakKb = 0;
  let home: ChildProcess | undefined;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      home = start(["up", "--mailbox", mailboxPath, "--data", dataFolder, "--json"], environment);
      const exited = once(home, "exit");
      if (!(await comesUp(home, dataFolder))) throw new Error("the home did not come up");
      if (kill === 0) await connect(dataFolder, server.port);
      deliver();
      await runProgram(["run", scoutName, "--data", dataFolder]);
      const liveMs = livesMs.least + Math.floor(random() * (livesMs.most - livesMs.least));
      for (let left = liveMs; left > 0; left -= 1_000) {
        if (random() < 0.5) armCut(server.faults, random);
        await setTimeout(Math.min(1_000, left));
      }
      peakKb = Math.max(peakKb, peakMemoryKb(home));
      home.kill("SIGKILL");
      await exited;
      say(`kill ${kill + 1}: ${inbox.messages.length} messages so far, lived ${liveMs} ms`);
    }
    server.faults.disarmAll();
    deliver();
    say("the home runs in peace and is looked at");
    const cutCount = cuts.reduce((sum, kind) => sum + server.faults.struck(kind), 0);
    const { lost, twice, findings, ...counted } = await lookAt(dataFolder, mailboxPath, messages, say);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const facts = { messages, kills, cuts: cutCount, seconds, peakMemoryMb: Math.round(peakKb / 1024), ...counted };
    return { facts: { ...facts, lost, twice }, findings };
  } finally {
    home?.kill("SIGKILL");
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function connect(dataFolder: string, port: number): Promise<void> {
  const where = ["--host", "127.0.0.1", "--port", String(port), "--tls", "none", "--user", user];
  const words = ["add", "imap", ...where, "--password-env", "MAIL_PASSWORD", "--name", scoutName, "--data", dataFolder];
  const exitCode = await runProgram(words, environment);
  if (exitCode !== 0) throw new Error(`the mailbox was not added: ${exitCode}`);
}

function armCut(faults: Faults, random: () => number): void {
  const kind = cuts[Math.floor(random() * cuts.length)] ?? "dropsBefore";
  const command = commands[Math.floor(random() * commands.length)] ?? "UID FETCH";
  faults.arm({ kind }, { times: 1, command });
}

/** The most memory a process has had in use, its threads included. */
function peakMemoryKb({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
}

/** Lets the home come to its end and counts. */
async function lookAt(dataFolder: string, mailboxPath: string, messages: number, say: Options["say"]) {
  const { signal } = new AbortController();
  const system = await startSystem({
    ...systemTimeAndIds,
    dataFolder,
    mailboxPath,
    environment: { ...environment, PATH: process.env["PATH"] },
    signal,
  });
  const scoutId = await scoutAt(system);
  const counter = new Counter(system.home, userIdOf(system.world.issuer.name, "owner"), scoutId);
  try {
    const counts = await settled(system, scoutId, counter, messages, say);
    const { relevant, unjudged, spam, deadLettered, waiting, failed } = judged(counts);
    const proposals = system.store.proposals.list({ limit: 1_000_000 }).filter((each) => each.scoutId === scoutId);
    const shown = relevant + unjudged;
    const rows = shown + spam + deadLettered + waiting + failed;
    const distinct = new Set(proposals.map(({ rawSubject }) => rawSubject)).size;
    const lost = messages - rows + Math.max(0, shown - distinct);
    const twice = Math.max(0, rows - messages) + proposals.length - distinct;
    const findings = [
      ...differs("P2: every message has one row", rows, messages),
      ...differs("P2: every row has its end", waiting + failed + deadLettered, 0),
      ...differs("P2: what is shown is on the device", proposals.length, shown),
      ...differs("P2: and each of it once", distinct, proposals.length),
    ];
    return { relevant, unjudged, spam, lost, twice, findings };
  } finally {
    counter.close();
    await system.stop();
  }
}

async function scoutAt(system: LocalSystem): Promise<ScoutId> {
  const rows = (await rowsOf(system, "Ledger")).filter(({ sk }) => sk.startsWith("SCOUT#")).map(parseScoutRow);
  const row = rows.find(({ sourceType }) => sourceType === "imap");
  if (!row) throw new Error("the scout is gone");
  return row.scoutId;
}

/** Asks for looks, as the poll would, until every message has its end or nothing moves any more. */
async function settled(
  system: LocalSystem,
  scoutId: ScoutId,
  counter: Counter,
  messages: number,
  say: Options["say"],
): Promise<ItemCounts> {
  const { signal } = new AbortController();
  let before = -1;
  for (let quiet = 0; ; ) {
    await tellOfNews(system.api, scoutId, signal);
    await untilIdle(system, signal);
    await system.home.runCron("Due");
    await untilIdle(system, signal);
    system.device.pull();
    await system.device.settled();
    const counts = await counter.count();
    const { waiting, failed, ...ended } = judged(counts);
    const now = Object.values(ended).reduce((sum, count) => sum + count, 0);
    say(`${now} of ${messages} have their end`);
    if (now >= messages && waiting + failed === 0 && counts.byStatus.queued === 0) return counts;
    quiet = now === before ? quiet + 1 : 0;
    if (quiet === maxQuietRounds) return counts;
    before = now;
    if (quiet > 0) await setTimeout(2_000 * 2 ** quiet);
  }
}
