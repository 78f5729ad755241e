import { onTestFinished } from "vitest";
import { makeFileToken, type TokenRight } from "../../device/access/tokens/file-tokens.ts";
import type { ProjectHome } from "./project-home.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly etag: string;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A program that works on a project's files over HTTP. Paths are below the project's address, unless another base is given. */
export interface HttpProgram {
  readonly token: string;
  as(token: string): HttpProgram;
  send(method: string, path: string, request?: HttpRequest, base?: string): Promise<HttpAnswer>;
  get(path: string, base?: string): Promise<HttpAnswer>;
  put(path: string, text: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  post(path: string, body: unknown): Promise<HttpAnswer>;
  /** A stream of events; `next` fails when it has ended. */
  events(headers?: Readonly<Record<string, string>>): Promise<{ next(): Promise<StreamEvent>; close(): void }>;
}

export interface ProgramOptions {
  readonly name?: string;
  readonly right?: TokenRight;
}

/** A program with a token of its own, which lasts for a day. */
export function httpProgram(
  project: ProjectHome,
  { name = "editor", right = "write" }: ProgramOptions = {},
): HttpProgram {
  const now = Date.now();
  const { token } = makeFileToken(project.home.store.dataFolder, {
    ...{ name, right, project: project.id, backend: "review", createdAt: now, endsAt: now + 86_400_000 },
  });
  return programWith(project, token);
}

function programWith(project: ProjectHome, token: string): HttpProgram {
  const { origin } = project.home.served;
  const own = `/v1/files/${project.id}`;
  const headersOf = (headers: HttpRequest["headers"]) => ({
    connection: "close",
    authorization: `Bearer ${token}`,
    ...headers,
  });
  const program: HttpProgram = {
    token,
    as: (other) => programWith(project, other),
    async send(method, path, { headers, body } = {}, base = own) {
      const answer = await fetch(`${origin}${base}${path}`, {
        method,
        headers: headersOf(headers),
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.includes("json") === true;
      return { status: answer.status, etag: answer.headers.get("etag") ?? "", body: isJson ? JSON.parse(text) : text };
    },
    get: (path, base) => program.send("GET", path, {}, base),
    put: (path, text, headers) =>
      program.send("PUT", path, { headers: { "content-type": "text/plain", ...headers }, body: text }),
    post: (path, body) =>
      program.send("POST", path, { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    async events(headers) {
      const reader = new AbortController();
      onTestFinished(() => reader.abort());
      const answer = await fetch(`${origin}${own}/events`, { headers: headersOf(headers), signal: reader.signal });
      const messages = messagesIn(answer);
      return {
        async next() {
          const { value, done } = await messages.next();
          if (done === true || value === undefined) throw new Error("the stream has ended");
          return value;
        },
        close: () => reader.abort(),
      };
    },
  };
  return program;
}

async function* messagesIn({ body }: Response): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const piece of (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    rest += piece;
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const fields = new Map(
        rest
          .slice(0, end)
          .split("\n")
          .map((line) => [line.split(": ")[0] ?? "", line.slice(line.indexOf(": ") + 2)]),
      );
      rest = rest.slice(end + 2);
      const [event, id] = [fields.get("event"), fields.get("id") ?? ""];
      if (event !== undefined) yield { event, id, data: JSON.parse(fields.get("data") ?? "{}") };
    }
  }
}
