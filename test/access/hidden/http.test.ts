import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { nobody } from "../../../device/access/policy/approver.ts";
import { type Backend, backends } from "../../../device/access/policy/profiles.ts";
import { makeFileToken } from "../../../device/access/tokens/file-tokens.ts";
import { systemClock } from "../../../device/connection/clock.ts";
import type { ConsoleEnvironment } from "../../../device/console/entrance/doors.ts";
import { TabTokens } from "../../../device/console/entrance/tab-tokens.ts";
import { HttpCallers } from "../../../device/console/v1/callers.ts";
import { fileRoutes } from "../../../device/console/v1/routes.ts";
import { fileCalls } from "../../../device/console/v1/use-cases.ts";
import { type FileToolName, fileToolNames } from "../../../events/agent-tools/file-tools.ts";
import { projectId } from "../../../events/ids.ts";
import { quick, whole } from "../../rounds.ts";
import { contentsOf } from "../five-file-patch.ts";
import { temporaryFolder } from "../setting.ts";
import { type HiddenKind, hiddenKinds, visible } from "./hidden-kinds.ts";
import { guessed, hashOf, probesOf, traces, withDryRuns } from "./probes.ts";
import { type World, world } from "./world.ts";

const project = projectId.parse(`prj_${"0".repeat(26)}`);

/** A project as programs over HTTP find it, with a token that may write. */
async function served(kind: HiddenKind, content: string | null, backend: Backend) {
  const made = await world(kind, content);
  const dataFolder = temporaryFolder();
  const { token } = makeFileToken(dataFolder, {
    ...{ name: "prober", project, backend, right: "write", createdAt: 0, endsAt: 1 },
  });
  const use = fileCalls({
    store: { projects: { list: () => [], find: () => undefined } as never },
    folders: { within: (_, work) => work({ root: "", access: made.access } as never) },
    callers: new HttpCallers({ dataFolder, tabs: new TabTokens(() => 0), now: () => 0 }),
    clock: { ...systemClock, now: () => 0 },
    approverAt: () => nobody,
  });
  const onProblem = (error: unknown) => {
    throw error;
  };
  const app = new Hono<ConsoleEnvironment>().route("/v1", fileRoutes({ use, onProblem }));
  return { ...made, app, token };
}

type Probe = readonly [path: string, init: RequestInit & { readonly headers: Readonly<Record<string, string>> }];

const encoded = (path: unknown) => encodeURIComponent(String(path));
const match = (text: string) => ({ "if-match": `"${hashOf(text)}"` });
const json = { "content-type": "application/json" };
const plain = { "content-type": "text/plain" };

/** The calls of a tool as requests of whoever guesses what the file holds; empty for what HTTP has no words for. */
function requestsOf(tool: FileToolName, args: Readonly<Record<string, unknown>>, asked: string): Probe[] {
  const { path = asked, content = "", mode, patch, versionId, baseHash, ...rest } = args;
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
    ),
  );
  const get = (what: string): Probe[] => [[`/${what}/${encoded(path)}?${query}`, { headers: {} }]];
  const post = (what: string, body: object, headers = {}): Probe[] => [
    [`/${what}`, { method: "POST", body: JSON.stringify(body), headers: { ...json, ...headers } }],
  ];
  const seen = typeof baseHash === "string" ? { "if-match": `"${baseHash}"` } : match(guessed);
  const conditions = [seen, { "if-none-match": "*" }];
  switch (tool) {
    case "list_files":
      if (args["path"] !== undefined) query.set("path", String(path));
      return [[`?${query}`, { headers: {} }]];
    case "read_file":
      query.delete("full");
      return get("content");
    case "read_lines":
      return get("content");
    case "get_excerpt":
      return get("excerpt");
    case "summarize_file":
      return get("summary");
    case "file_history":
      return get("history");
    case "get_diff":
      return get("diff");
    case "grep_files":
      return post("grep", args);
    case "search_content":
      return post("search", args);
    case "record_changes":
      return post("record", args);
    case "write_file":
      return mode === "append"
        ? []
        : conditions.map((headers) => [
            `/content/${encoded(path)}`,
            { method: "PUT", body: String(content), headers: { ...plain, ...headers } },
          ]);
    case "apply_patch": {
      const body = String(patch);
      const notes = match(visible["notes.md"]);
      const at = (where: unknown, method: string, headers: object): Probe => [
        `/content/${encoded(where)}${method === "PATCH" ? `?${query}` : ""}`,
        { method, headers: { ...plain, ...headers }, ...(method === "PATCH" && { body }) },
      ];
      // The path of an address stands for the one in the patch: of another file only a move to the hidden one is about it.
      const moves = body.includes(`to: ${asked}\n`) || body.includes(`rename to ${asked}\n`);
      return [at(path, "PATCH", seen), at(path, "DELETE", seen), ...(moves ? [at("notes.md", "PATCH", notes)] : [])];
    }
    case "rollback":
      return conditions.flatMap((headers) => post(`rollback/${encoded(path)}`, { versionId }, headers));
  }
}

async function answerOf({ app, token }: Awaited<ReturnType<typeof served>>, [path, init]: Probe) {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const answer = await app.request(`/v1/files/${project}${path}`, { ...init, headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}

/** By turns: hidden-files.test.ts has every kind for every backend, one door further in. */
const chosen = (at: number): Backend[] => backends.filter((_, index) => index === at % backends.length);

/** Of a change every second one, in a short run some of them. */
const kinds = hiddenKinds.map((kind, at) => ({ ...kind, at })).filter(({ at }) => whole || at % (quick ? 6 : 2) === 0);

describe.each(kinds)("over HTTP, a file that may not be shown, because $name", (kind) => {
  test.each(chosen(kind.at))("is told of by no route, as %s", async (backend) => {
    const worlds = await Promise.all([guessed, `${guessed}more\n`, null].map((text) => served(kind, text, backend)));
    const [as, otherwise, absent] = worlds;
    if (as === undefined || otherwise === undefined || absent === undefined) throw new Error("three worlds");
    const hiddenNow = async ({ files }: World) => (await contentsOf(files))[kind.stored];
    const before = await hiddenNow(as);
    for (const tool of fileToolNames) {
      const { aimed, broad = [] } = probesOf[tool](kind.asked, as.known);
      const compared = [
        ...withDryRuns(tool, aimed).map((args) => [args, [otherwise, absent]] as const),
        ...withDryRuns(tool, broad).map(
          (args) => [args, kind.isIgnored === true ? [otherwise, absent] : [otherwise]] as const,
        ),
      ];
      for (const [args, others] of compared) {
        for (const probe of requestsOf(tool, args, kind.asked)) {
          const answer = await answerOf(as, probe);
          const [told, about] = [JSON.stringify(answer), `${tool} ${JSON.stringify(probe)}`];
          const sent = JSON.stringify([args, probe]);
          expect(
            traces.filter((trace) => told.includes(trace) && !sent.includes(trace)),
            `${about} said ${told.slice(0, 2_000)}`,
          ).toEqual([]);
          // Each world is asked the same, so that what a call leaves behind is the same as well.
          for (const each of [otherwise, absent]) {
            const answered = await answerOf(each, probe);
            if (others.includes(each)) expect(answered, about).toEqual(answer);
          }
        }
      }
    }
    expect(await hiddenNow(as)).toBe(before);
    expect(await hiddenNow(absent)).toBeUndefined();
  });
});
