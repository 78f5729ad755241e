import type { IncomingMessage } from "node:http";

/** A word of a header field (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Sixteen bytes in base64. */
const key = /^[+/0-9A-Za-z]{22}==$/;

/**
 * What is wrong with a WebSocket handshake (RFC 6455 §4.2.1), as the status it is refused with; undefined when it is one.
 * It is looked at before anybody is asked: a ticket would be spent, and `$connect` told of a connection that never is.
 */
export function handshakeRefusal({ method, headers }: IncomingMessage): 400 | 405 | undefined {
  if (method !== "GET") return 405;
  if (headers.upgrade?.toLowerCase() !== "websocket") return 400;
  if (!key.test(headers["sec-websocket-key"] ?? "")) return 400;
  if (!["13", "8"].includes(headers["sec-websocket-version"] ?? "")) return 400;
  const protocols = headers["sec-websocket-protocol"]?.split(",").map((each) => each.trim()) ?? [];
  const isEachOnce = new Set(protocols).size === protocols.length;
  return isEachOnce && protocols.every((each) => token.test(each)) ? undefined : 400;
}
