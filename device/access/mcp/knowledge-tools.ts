import { mcpTools } from "../../../events/agent-tools/mcp-tools.ts";
import { delimited } from "../../../shared/privacy/delimiters.ts";
import { listSuggestions } from "../../actions/work/suggestions.ts";
import { beginning, workLine } from "../../actions/work/work-line.ts";
import { KeyedLock } from "../../files/keyed-lock.ts";
import { parseQuery } from "../../knowledge/search/parse-query.ts";
import type { WorkHit } from "../../knowledge/work/search-pieces.ts";
import { searchWork } from "../../knowledge/work/search-work.ts";
import type { DeviceStore } from "../../store/open.ts";
import { presented } from "../present.ts";
import { countTokens } from "../reading/token-count.ts";
import type { ClientTokens } from "./client-tokens.ts";
import type { FurtherTool, Served } from "./further-tool.ts";

/** What an agent has answered, for who is not the person. */
export interface AskedForClient {
  readonly text: string;
  readonly files: readonly string[];
  readonly tokensUsed: number;
  /** Words in quotation marks that stand in nothing that was read. */
  readonly quotesMissing: readonly string[];
  /** Said where not all of the folder has been read yet. */
  readonly note?: string | undefined;
  /** `completed`, or how else the run ended. */
  readonly status: string;
}

export interface KnowledgeParts {
  readonly store: DeviceStore;
  readonly now: () => number;
  readonly tokens: ClientTokens;
  /** Whether the person has let this program have what others wrote to them. */
  readonly withMail: boolean;
  /** Asks an agent about the served project. Left out: `ask` is not offered. */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<AskedForClient>) | undefined;
  readonly offersSearch: boolean;
}

/** What the person has let this program have besides files: each tool by its own option, all of it under one cap of tokens. */
export function knowledgeTools(parts: KnowledgeParts): FurtherTool[] {
  const { ask, offersSearch, withMail } = parts;
  return [
    ...(ask === undefined ? [] : [askTool(parts, ask)]),
    ...(offersSearch ? [searchTool(parts)] : []),
    ...(withMail ? [proposalsTool(parts)] : []),
  ];
}

function askTool({ tokens }: KnowledgeParts, ask: NonNullable<KnowledgeParts["ask"]>): FurtherTool {
  // One at a time: what a run takes is known when it is over.
  const lock = new KeyedLock();
  return {
    name: "ask",
    definition: mcpTools.ask,
    call: (input, { project, session }, signal) =>
      lock.run("ask", async () => {
        const { question } = mcpTools.ask.input.parse(input);
        tokens.require(session, project.access.audit, 1);
        const { text, tokensUsed, ...facts } = await ask(question, signal);
        tokens.spend(tokensUsed);
        const about = workLine({ ...facts, tokens: tokensUsed });
        return { text: `${about}\n${delimited(text, "answer")}`, noted: { tokens: tokensUsed, status: facts.status } };
      }),
  };
}

function searchTool(parts: KnowledgeParts): FurtherTool {
  return {
    name: "search",
    definition: mcpTools.search,
    async call(input, served, signal) {
      const { query, limit } = mcpTools.search.input.parse(input);
      const { project, session } = served;
      const ofFiles = presented(await project.access.call(session, "search_content", { query, limit }, signal));
      const parsed = parseQuery(query);
      const found =
        parsed.wanted.length === 0
          ? []
          : (await searchWork(parsed, parts.store, { projectId: undefined, limit: limit * 4, nowMs: parts.now() }))
              .hits;
      const work = found.filter((hit) => parts.withMail || isOwn(parts.store, hit)).slice(0, limit);
      const lines = work.map(({ kind, id, title, sender, atMs, passage }) =>
        workLine({ kind, id, title, sender, at: new Date(atMs).toISOString().slice(0, 16), says: beginning(passage) }),
      );
      const ofWork =
        lines.length === 0 ? "Nothing else of the person's is about this." : delimited(lines.join("\n"), "work");
      return charged(parts, served, `${ofFiles}\n${ofWork}`);
    },
  };
}

function proposalsTool(parts: KnowledgeParts): FurtherTool {
  return {
    name: "list_proposals",
    definition: mcpTools.list_proposals,
    async call(input, served) {
      const { query, decided, limit } = mcpTools.list_proposals.input.parse(input);
      const { text } = await listSuggestions({ ...(query !== undefined && { query }), decided, limit }, parts);
      return charged(parts, served, delimited(text, "proposals"));
    },
  };
}

/** A result, when the program may still have so much. */
async function charged({ tokens }: KnowledgeParts, { project, session }: Served, text: string) {
  const count = await countTokens(text);
  tokens.require(session, project.access.audit, count);
  tokens.spend(count);
  return { text, noted: { tokens: count } };
}

/** What the person wrote: nothing of it came by mail. People and facts may be from anywhere. */
function isOwn(store: DeviceStore, { kind, id }: WorkHit): boolean {
  if (kind !== "task" && kind !== "event" && kind !== "note") return false;
  const entity = store.work[kind].find(id);
  return entity !== undefined && entity.sourceSuggestionId === null;
}
