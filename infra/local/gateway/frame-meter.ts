/**
 * Reads the headers of WebSocket frames (RFC 6455, section 5.2) as bytes pass by and reports a frame whose payload is
 * too long. `ws` limits whole messages only; API Gateway limits frames too.
 */
export class FrameMeter {
  readonly #limitBytes: number;
  readonly #onTooLong: () => void;
  #header = Buffer.alloc(0);
  #skip = 0;

  constructor(limitBytes: number, onTooLong: () => void) {
    this.#limitBytes = limitBytes;
    this.#onTooLong = onTooLong;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#skip >= rest.length) {
        this.#skip -= rest.length;
        return;
      }
      rest = rest.subarray(this.#skip);
      this.#skip = 0;
      this.#header = Buffer.concat([this.#header, rest]);
      const frame = readHeader(this.#header);
      if (!frame) return;
      if (frame.payloadBytes > this.#limitBytes) {
        this.#onTooLong();
        return;
      }
      const consumedBefore = this.#header.length - rest.length;
      rest = rest.subarray(Math.max(0, frame.headerBytes - consumedBefore));
      this.#header = Buffer.alloc(0);
      this.#skip = frame.payloadBytes;
    }
  }
}

function readHeader(bytes: Buffer): { headerBytes: number; payloadBytes: number } | undefined {
  const second = bytes[1];
  if (second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const headerBytes = 2 + lengthBytes + (second & 0x80 ? 4 : 0);
  if (bytes.length < headerBytes) return undefined;
  const payloadBytes =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { headerBytes, payloadBytes };
}
