/** A string of an answer: quoted where that is allowed, else a literal; NIL when there is none. */
export function string(text: string | Buffer | undefined): Buffer {
  if (text === undefined) return Buffer.from("NIL");
  const bytes = typeof text === "string" ? Buffer.from(text, "latin1") : text;
  const isQuotable = bytes.length < 1_000 && !bytes.some((byte) => byte < 32 || byte > 126);
  if (!isQuotable) return literal(bytes);
  return Buffer.from(`"${bytes.toString("latin1").replace(/["\\]/g, "\\$&")}"`, "latin1");
}

/** @param lie by how many bytes the announced length is another one than it is */
export function literal(bytes: Buffer, lie = 0): Buffer {
  return Buffer.concat([Buffer.from(`{${Math.max(0, bytes.length + lie)}}\r\n`), bytes]);
}

/** Parts in brackets, a blank between them. */
export function list(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([Buffer.from("("), joined(parts), Buffer.from(")")]);
}

/** A blank between parts. */
export function joined(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part, index) => {
      const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
      return index === 0 ? [bytes] : [Buffer.from(" "), bytes];
    }),
  );
}
