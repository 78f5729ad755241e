import { Transform, type TransformCallback, type Writable } from "node:stream";
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { ErrorCode, InitializeRequestParamsSchema, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { argumentWords } from "../../../errors/argument-words.ts";
import { notAsProtocol } from "./request.ts";

/** Of a line with its ending: with a longer one the SDK's transport gives up its client. */
const maxLineBytes = STDIO_DEFAULT_MAX_BUFFER_SIZE;
const newline = 0x0a;
/** Of answers that the client has not read yet: with more, it is heard again when it has. */
const mostUnreadBytes = 1024 * 1024;

const sentences = {
  [ErrorCode.ParseError]: "This line is no JSON. Send each message as one line of JSON, in UTF-8.",
  [ErrorCode.InvalidRequest]:
    'This is no message of JSON-RPC 2.0: one object a line, with "jsonrpc": "2.0", a "method", an "id" that is a text or a whole number, and "params" that are an object or left out.',
} as const;
const tooLong = `This message has more than ${maxLineBytes} bytes, so it was not read. Send less at once.`;

/** What can be told of a request that is malformed. */
const asked = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });
const beginning = z.looseObject({ method: z.literal("initialize"), id: z.union([z.string(), z.number()]) });

/**
 * The lines a client sends, before the SDK's transport has them: it drops what is no message of the protocol without a word,
 * and gives its client up over a line that is too long. Here the client is told (JSON-RPC 2.0, section 5.1). A client that asks on
 * and reads no answer is not heard meanwhile: its answers would fill the memory.
 */
export class RequestLines extends Transform {
  readonly #answers: Writable;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #isFirst = true;

  /** @param answers what the client reads */
  constructor(answers: Writable) {
    super();
    this.#answers = answers;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    this.#whenRead(done);
  }

  #whenRead(done: TransformCallback): void {
    if (this.#answers.writableLength <= mostUnreadBytes || this.#answers.destroyed) {
      done();
      return;
    }
    const goOn = () => {
      this.#answers.off("drain", goOn).off("close", goOn);
      done();
    };
    // Who closes what it does not read is gone, and its last words are heard to their end.
    this.#answers.on("drain", goOn).on("close", goOn);
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    // Of a line that is too long the rest is let go by.
    if (this.#bytes < maxLineBytes) this.#parts.push(part);
    else this.#parts.length = 0;
  }

  #line(): void {
    const isTooLong = this.#bytes >= maxLineBytes;
    const text = Buffer.concat(this.#parts).toString("utf8");
    this.#parts.length = 0;
    this.#bytes = 0;
    if (isTooLong) {
      this.#refuse(null, ErrorCode.InvalidRequest, tooLong);
      return;
    }
    // Some programs of Windows begin what they write with a byte order mark.
    const line = this.#isFirst ? text.replace(/^\ufeff/, "") : text;
    this.#isFirst = false;
    if (line.trim() !== "" && this.#isMessage(line)) this.push(`${line}\n`);
  }

  #isMessage(line: string): boolean {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Nothing else can fail here: it is no JSON, and the client is told.
      this.#refuse(null, ErrorCode.ParseError, sentences[ErrorCode.ParseError]);
      return false;
    }
    if (!JSONRPCMessageSchema.safeParse(message).success) {
      const id = asked.safeParse(message).data?.id ?? null;
      this.#refuse(id, ErrorCode.InvalidRequest, sentences[ErrorCode.InvalidRequest]);
      return false;
    }
    return this.#isBegun(message);
  }

  /** The one request whose parameters the SDK reads itself: what is wrong with them it says as a dump, and as a fault of ours. */
  #isBegun(message: unknown): boolean {
    const request = beginning.safeParse(message);
    const params = request.success ? InitializeRequestParamsSchema.safeParse(request.data["params"] ?? {}) : undefined;
    if (request.data === undefined || params?.error === undefined) return true;
    this.#refuse(
      request.data.id,
      ErrorCode.InvalidParams,
      notAsProtocol("initialize", `${argumentWords(params.error)}.`),
    );
    return false;
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    const error = { code, message, data: { code: "invalid_arguments" } };
    this.#answers.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  }
}
