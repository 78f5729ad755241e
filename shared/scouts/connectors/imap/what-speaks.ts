import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { UnreachedReason } from "../../../../events/sources/unreached.ts";
import type { After } from "../../../ports/clock.ts";
import type { ImapAccess } from "./settings.ts";

/** Of a server that has said nothing for ten seconds, before a task's time is over. */
const patienceMs = 1_500;
/** Harmless to a mail server, and an answer that tells what it is to nearly all others. */
const goodbye = "a LOGOUT\r\n\r\n";

interface Place extends Pick<ImapAccess, "host" | "tls"> {
  /** Where the host's name leads, which was looked at before. */
  readonly address: string;
  readonly port: number;
  readonly ca?: string | undefined;
}

/**
 * What kind of server takes connections at a port and has not greeted, as a mail server does. No secret is said to it.
 *
 * @returns `silent` where that cannot be told
 */
export async function whatSpeaks(place: Place, after: After): Promise<UnreachedReason> {
  const answer = Promise.withResolvers<UnreachedReason>();
  const socket = opened(place);
  const over = after(patienceMs, () => answer.resolve("silent"));
  socket.on("data", (bytes: Buffer) => answer.resolve(kindOf(bytes)));
  socket.on("error", () => answer.resolve("silent"));
  // Who speaks nothing but TLS hangs up on anything else.
  socket.on("close", () => answer.resolve(place.tls === "implicit" ? "silent" : "encrypted"));
  socket.write(goodbye);
  try {
    return await answer.promise;
  } finally {
    over();
    socket.destroy();
  }
}

function opened({ host, tls, address, port, ca }: Place): Socket {
  if (tls !== "implicit") return connect(port, address);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host: address, port, ...servername, ...(ca === undefined ? {} : { ca }) });
}

/** A mail server's lines begin with a star; an alert of TLS (RFC 8446 §5.1) with 21. */
function kindOf(bytes: Buffer): UnreachedReason {
  if (bytes[0] === 0x15) return "encrypted";
  return bytes[0] === 0x2a ? "silent" : "other";
}
