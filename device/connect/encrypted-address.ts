import { DeviceError } from "../errors.ts";

const loopbackHosts = ["127.0.0.1", "[::1]", "localhost"];

/** Refuses to send a token or a ticket in the clear to another machine. @throws DeviceError `address_insecure` */
export function requireEncrypted(address: string | URL): URL {
  const url = new URL(address);
  if (url.protocol === "https:" || url.protocol === "wss:") return url;
  const plain = url.protocol === "http:" || url.protocol === "ws:";
  if (plain && loopbackHosts.includes(url.hostname)) return url;
  throw new DeviceError("address_insecure", { data: { host: url.hostname } });
}
