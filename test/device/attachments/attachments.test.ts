import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchPage } from "../../../cli/output/fetch-page.ts";
import type { AuditTrail } from "../../../device/access/audit/trail.ts";
import { openProject } from "../../../device/access/open-project.ts";
import { nobody } from "../../../device/access/policy/approver.ts";
import { openDeviceTrail } from "../../../device/actions/device-trail.ts";
import type { AttachmentHandlers } from "../../../device/attachments/attachment-handler.ts";
import { attachmentLimits } from "../../../device/attachments/attachment-limits.ts";
import { gatherAttachments } from "../../../device/attachments/gather-attachments.ts";
import { fileHandler } from "../../../device/attachments/handlers/attach-file.ts";
import { mcpHandler } from "../../../device/attachments/handlers/attach-mcp.ts";
import { pageHandler } from "../../../device/attachments/handlers/attach-page.ts";
import { proposalHandler } from "../../../device/attachments/handlers/attach-proposal.ts";
import { toolHandler } from "../../../device/attachments/handlers/attach-tool.ts";
import { Extractor } from "../../../device/folders/extraction/extractor.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { toolDefinition } from "../../../device/workspace/tool-definition.ts";
import { guardedGet } from "../../../shared/scouts/connectors/guarded-get.ts";
import { quick } from "../../rounds.ts";
import { makeProposal } from "../fake-cloud.ts";
import { ManualClock } from "../manual-clock.ts";
import { docxBomb, pdfBomb, pdfWith, pngOf } from "../scanner/documents.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

const secret = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");

function setting(handlers: AttachmentHandlers) {
  const dataFolder = temporaryFolder();
  const clock = new ManualClock();
  const { trail, close } = openDeviceTrail(dataFolder, () => clock.now());
  onTestFinished(close);
  const gather = (...names: string[]) => gatherAttachments(names, { handlers, trail, clock });
  return { gather, clock, trail: trail as AuditTrail };
}

const refusedAs = (gathering: Promise<unknown>) =>
  gathering.then(
    () => "attached",
    (error: { code: string }) => error.code,
  );

function extractor() {
  const made = new Extractor();
  onTestFinished(() => made.close());
  return (job: Parameters<Extractor["extract"]>[0]) => made.extract(job);
}

/** A server on this machine stands for one of the internet: `https:` is taken away from its address, not from the rule. */
async function served(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const page = pageHandler(
  async (address, { bytes, timeMs }) => {
    const bounds = { reach: "any", isPublic: () => true, maxBytes: bytes, timeoutMs: timeMs, maxRedirects: 5 } as const;
    const plain = address.replace("https:", "http:");
    const { status, headers, body } = await guardedGet(plain, { ...bounds, headers: {}, nowMs: 0 });
    return { status, type: headers["content-type"] ?? "", body };
  },
  (job) => sharedExtractor(job),
  600_000,
);
let sharedExtractor: ReturnType<typeof extractor>;

describe("files", () => {
  test("go through the rules of their folder: what they keep is refused, credentials are taken out, the rest goes along", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "hidden"));
    writeFileSync(join(root, ".scouts.json"), JSON.stringify({ read: { deny: ["hidden/**"] } }));
    writeFileSync(join(root, "hidden/plan.md"), "the plan\n");
    writeFileSync(join(root, "notes.md"), `The pump is in the shed.\nkey = "${secret}"\n`);
    writeFileSync(join(root, "offer.pdf"), pdfWith("Ninety euros."));
    writeFileSync(join(root, ".env"), "NAME=value\n");
    writeFileSync(join(root, "dot.png"), pngOf(2, 2));
    writeFileSync(join(root, "..draft.md"), "A draft.\n");
    writeFileSync(join(root, "a\\b.md"), "A name with a sign.\n");
    const options = { ...systemTimeAndIds, dataFolder: temporaryFolder(), projectFolder: root, approver: nobody };
    const { gather, trail } = setting({ file: fileHandler(options) });
    const gathered = await gather("notes.md", "file:offer.pdf", "hidden/plan.md", ".env", "absent.md", "dot.png");
    expect((await gather("..draft.md", "a\\b.md"))?.outcomes.map(({ outcome }) => outcome)).toEqual([
      "attached",
      "attached",
    ]);
    expect(gathered?.outcomes.map(({ name, outcome, code }) => [name, outcome, code])).toEqual([
      ["notes.md", "attached", undefined],
      ["file:offer.pdf", "attached", undefined],
      ["hidden/plan.md", "refused", "attachment_denied"],
      [".env", "refused", "attachment_denied"],
      ["absent.md", "refused", "attachment_unavailable"],
      ["dot.png", "refused", "attachment_unreadable"],
    ]);
    const text = gathered?.result.text ?? "";
    expect(text).toMatch(
      /<file-content ([0-9a-f]{32}) attached "notes.md">\nThe pump is in the shed\.[\s\S]*<\/file-content \1>/,
    );
    expect(text).toContain("Ninety euros.");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("the plan");
    expect(trail.newest(9).map(({ tool, outcome }) => `${tool} ${outcome}`)).toContain("attach:file attachment_denied");
    const project = await openProject({ ...options, root });
    expect([...project.access.audit.records()].map(({ caller, outcome }) => `${caller} ${outcome}`)).toContain(
      "attach denied",
    );
    project.close();
    // Nothing that can be read: nothing is asked.
    expect(await refusedAs(gather("hidden/plan.md"))).toBe("attachment_denied");
    expect(await refusedAs(gather("../outside.md"))).toBe("attachment_denied");
  });

  test("of no project are those the person names, by the rules of where they lie", async () => {
    const [here, dataFolder] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(here, "a.md"), "here\n");
    writeFileSync(join(here, "id_rsa"), "key\n");
    const handler = fileHandler({ ...systemTimeAndIds, dataFolder, workingFolder: here, approver: nobody });
    const { gather } = setting({ file: handler });
    expect((await gather("a.md", join(here, "a.md")))?.outcomes.map(({ outcome }) => outcome)).toEqual([
      "attached",
      "attached",
    ]);
    expect(await refusedAs(gather("id_rsa"))).toBe("attachment_denied");
    const console = setting({ file: fileHandler({ ...systemTimeAndIds, dataFolder, approver: nobody }) });
    expect(await refusedAs(console.gather("a.md"))).toBe("attachment_denied");
  });

  test("that are long are shown by their beginning, each with its share, and kept whole for the agent", async () => {
    const root = temporaryFolder();
    const long = "a line of some length\n".repeat(9_000);
    writeFileSync(join(root, "long.md"), long);
    writeFileSync(join(root, "short.md"), "short\n");
    writeFileSync(join(root, "endless.md"), "x".repeat(attachmentLimits.characters + 10));
    const options = {
      ...systemTimeAndIds,
      dataFolder: temporaryFolder(),
      projectFolder: root,
      approver: { approve: async () => true },
    };
    const { gather } = setting({ file: fileHandler(options) });
    const gathered = await gather("long.md", "short.md");
    expect(gathered?.outcomes).toMatchObject([
      { name: "long.md", outcome: "cut", isCut: false, characters: long.length },
      { name: "short.md", outcome: "attached" },
    ]);
    expect(gathered?.result.text.length).toBeLessThan(25_000);
    expect(gathered?.result.text).toContain("short\n");
    expect(gathered?.result.whole?.text).toContain(long);
    expect((await gather("endless.md"))?.outcomes).toMatchObject([{ outcome: "cut", isCut: true }]);
  });
});

describe("pages", () => {
  test("are read as what they show, without what hides; other types than text are refused whatever they hold", async () => {
    sharedExtractor = extractor();
    const types: Record<string, [string, Buffer | string]> = {
      "/page": ["text/html", `<title>Roof</title><p>Tiles are blue.</p><script>evil()</script><p>key: "${secret}"</p>`],
      "/offer": ["application/pdf", pdfWith("Ninety euros.")],
      "/liar": ["text/plain", pngOf(40, 40)],
      "/binary": ["application/octet-stream", "text"],
      "/picture": ["image/png", pngOf(2, 2)],
    };
    const address = await served((request, response) => {
      const [type, body] = types[request.url ?? ""] ?? ["text/plain", ""];
      response.setHeader("content-type", type).end(body);
    });
    const { gather } = setting({ https: page });
    const gathered = await gather(...Object.keys(types).map((path) => `${address}${path.slice(1)}`));
    expect(gathered?.outcomes.map(({ outcome, code }) => code ?? outcome)).toEqual([
      ...["attached", "attached", "attachment_unreadable", "attachment_unreadable", "attachment_unreadable"],
    ]);
    expect(gathered?.result.text).toContain("Tiles are blue.");
    expect(gathered?.result.text).not.toMatch(new RegExp(`evil|${secret}`));
  });

  test("that lead into the private network are not followed, by an address, by a name, or to what is not encrypted", async () => {
    let reached = 0;
    const inside = await served((_, response) => {
      reached++;
      response.end("inside");
    });
    for (const to of [
      inside.replace("https", "http"),
      "http://localhost:1/",
      "http://[::ffff:10.0.0.1]/",
      "http://169.254.169.254/",
    ]) {
      const outside = await served((_, response) => void response.writeHead(302, { location: to }).end());
      const { gather } = setting({ https: page });
      expect(await refusedAs(gather(outside))).toBe("attachment_address");
    }
    expect(reached).toBe(0);
  });

  test.each([
    "https://127.0.0.1:1/",
    "https://localhost/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://192.168.1.1/",
    "https://user:word@example.org/",
    "https://169.254.169.254/latest/meta-data",
  ])("at the command line %s is not connected to", async (address) => {
    const { gather } = setting({
      https: pageHandler(fetchPage(Date.now), async () => ({ outcome: "failed", reason: "no_text" }), 600_000),
    });
    expect(await refusedAs(gather(address))).toBe("attachment_address");
  });

  test.skipIf(quick)(
    "that never end, that unpack without end, that go round, and that are gone are refused with what helps",
    async () => {
      sharedExtractor = extractor();
      const bomb = gzipSync(Buffer.alloc(attachmentLimits.bytes + 1, "x"));
      const address = await served((request, response) => {
        response.setHeader("content-type", "text/plain");
        switch (request.url) {
          case "/endless": {
            const more = () => void (response.writable && response.write(Buffer.alloc(64 * 1024, "x"), more));
            return more();
          }
          case "/bomb":
            return void response.setHeader("content-encoding", "gzip").end(bomb);
          case "/round":
            return void response.writeHead(302, { location: "/round" }).end();
          case "/docx":
            response.setHeader(
              "content-type",
              "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            );
            return void response.end(docxBomb(200 * 1024 * 1024));
          case "/pdf":
            return void response.setHeader("content-type", "application/pdf").end(pdfBomb(700 * 1024 * 1024));
          default:
            return void response.writeHead(404).end("no");
        }
      });
      const { gather } = setting({ https: page });
      const codes = await Promise.all(
        ["endless", "bomb", "round", "docx", "gone"].map((path) => refusedAs(gather(`${address}${path}`))),
      );
      expect(codes).toEqual([
        ...["attachment_too_large", "attachment_too_large", "attachment_address", "attachment_unreadable"],
        "attachment_unavailable",
      ]);
    },
  );
});

describe("what else can be attached", () => {
  test.skipIf(quick)(
    "a resource of a server on the person's list of tools, which is started for it and ended",
    async () => {
      const server = fileURLToPath(new URL("./mcp-server.mjs", import.meta.url));
      const tool = (name: string) =>
        toolDefinition.parse({ name, argv: [process.execPath, server, name], environment: { PATH: "/usr/bin:/bin" } });
      const handler = mcpHandler({ toolNamed: tool, variables: process.env, extract: extractor() });
      const { gather } = setting({ mcp: handler });
      const gathered = await gather("mcp:notes/notes://today", "mcp:flood/notes://today", "mcp:gone/notes://today");
      expect(gathered?.result.text).toContain("The beds are watered on Thursday.");
      expect(gathered?.outcomes.map(({ outcome, code }) => code ?? outcome)).toEqual([
        ...["attached", "attachment_unavailable", "attachment_unavailable"],
      ]);
      expect(await refusedAs(gather("mcp:notes"))).toBe("attachment_invalid");
    },
  );

  test("an item and what a tool prints, without credentials", async () => {
    const store = temporaryStore();
    const proposal = makeProposal(1, { rawSubject: "Tiles" });
    store.proposals.add([proposal]);
    const item = { subject: "Tiles", sender: "Ada", text: `They are blue. key = "${secret}"`, header: null };
    const { gather } = setting({
      proposal: proposalHandler(store, async () => item as never),
      tool: toolHandler(async () => ({ output: "3 failed", outputBytes: 900, end: "exited", exitCode: 1 }) as never),
    });
    const gathered = await gather(`proposal:${proposal.id}`, "tool:test", "proposal:nothing");
    expect(gathered?.result.text).toContain("They are blue.");
    expect(gathered?.result.text).toContain("exit code 1\n3 failed");
    expect(gathered?.result.text).not.toContain(secret);
    expect(gathered?.outcomes.map(({ outcome, code }) => code ?? outcome)).toEqual([
      "attached",
      "cut",
      "proposal_unknown",
    ]);
  });

  test("what is of no kind there is, what is not offered, and too many are refused before anything is read", async () => {
    let read = 0;
    const file = { read: async () => ({ text: `${read++}`, isCut: false }) };
    const { gather } = setting({ file });
    for (const name of ["http://example.org/", "ftp://x/y", "file:", " ", "a\0b"]) {
      expect(await refusedAs(gather("a.md", name))).toBe("attachment_invalid");
    }
    expect(await refusedAs(gather(...Array.from({ length: 9 }, (_, at) => `${at}.md`)))).toBe("attachment_invalid");
    expect(read).toBe(0);
    expect(await refusedAs(gather("tool:test"))).toBe("attachment_invalid");
    // The same thing twice is one.
    expect((await gather("a.md", "a.md"))?.outcomes).toHaveLength(1);
  });

  test("what takes too long is given up, and the rest goes along", async () => {
    const never = new Promise<never>(() => {});
    const { gather, clock } = setting({
      file: { read: async () => ({ text: "here", isCut: false }) },
      tool: { read: () => never },
    });
    const gathering = gather("a.md", "tool:slow");
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(attachmentLimits.timeMs);
    expect((await gathering)?.outcomes).toMatchObject([{ outcome: "attached" }, { code: "attachment_overdue" }]);
  });
});
