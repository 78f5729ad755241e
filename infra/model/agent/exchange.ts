import * as z from "zod";
import { type ChatRequestBody, textOf } from "../chat-request.ts";

const called = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const withCalls = z.looseObject({ tool_calls: z.array(called).nullish() });
const answering = z.looseObject({ tool_call_id: z.string() });
const anyArguments = z.record(z.string(), z.unknown());

/** A call of a tool, as the model makes it. */
export interface ToCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that was made in the conversation, and what came of it. */
export interface MadeCall {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** What a conversation with tools comes to. */
export interface Exchange {
  /** What the person asked last. */
  readonly question: string;
  /** What stands in the question between marker lines of a device: a mail a task came from. */
  readonly attached: string;
  /** Lists of files, wherever they stand: `<linked_folder>` and `<linked_folders>` blocks. */
  readonly lists: readonly string[];
  readonly made: readonly MadeCall[];
}

/** Reads a conversation. Text between marker lines is material, whatever it says. */
export function readExchange({ messages }: ChatRequestBody): Exchange {
  const calls = new Map<string, Omit<MadeCall, "result">>();
  const made: MadeCall[] = [];
  const lists: string[] = [];
  let question = "";
  let attached = "";
  for (const message of messages) {
    const { quoted, text } = unquoted(textOf(message));
    if (message.role === "user" && !quoted) ({ question, attached } = withoutAttached(text));
    if (message.role === "assistant") {
      for (const { id, function: asked } of withCalls.safeParse(message).data?.tool_calls ?? []) {
        calls.set(id, { name: asked.name, data: parsedObject(asked.arguments) });
      }
    }
    if (message.role === "tool") {
      const call = calls.get(answering.safeParse(message).data?.tool_call_id ?? "");
      if (call) made.push({ ...call, result: text });
    }
    if (quoted && text.startsWith("<linked_folder")) lists.push(text);
  }
  return { question, attached, lists, made };
}

/** What stands between `<<<DATA nonce …>>>` and `<<<END nonce>>>`; a text without them is what it is. */
function unquoted(text: string): { quoted: boolean; text: string } {
  const start = /^<<<DATA ([\w-]{16,}) [^\n]*>>>\n/.exec(text);
  const end = start ? text.lastIndexOf(`\n<<<END ${start[1]}>>>`) : -1;
  if (!start || end < start[0].length - 1) return { quoted: false, text };
  return { quoted: true, text: text.slice(start[0].length, end) };
}

/** Lines a device sets around content of others, with a number made for it. */
const attachmentBegin = /^<file-content ([0-9a-f]{32}) [^\n]*>\n/gm;
const attachmentEnd = /<\/file-content ([0-9a-f]{32})>/g;

function withoutAttached(text: string): Pick<Exchange, "question" | "attached"> {
  const lastEnds = new Map([...text.matchAll(attachmentEnd)].map(({ 1: nonce, index }) => [nonce, index]));
  const behind = (begin: RegExpExecArray) => begin.index + begin[0].length;
  const begin = [...text.matchAll(attachmentBegin)].find((each) => (lastEnds.get(each[1]) ?? -1) >= behind(each));
  if (begin === undefined) return { question: text, attached: "" };
  const from = behind(begin);
  const endLine = `</file-content ${begin[1]}>`;
  const to = text.indexOf(endLine, from);
  return { question: text.slice(0, begin.index) + text.slice(to + endLine.length), attached: text.slice(from, to) };
}

/** What a text is as JSON; nothing when it is no object of JSON. */
export function parsedObject(text: string): Record<string, unknown> {
  try {
    return anyArguments.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    // No JSON: a call without arguments, a result that is a sentence.
    return {};
  }
}
