import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** `/proc/net/tcp`: local address in hexadecimal, state 0A is LISTEN, the tenth column is the socket's inode (proc(5)). */
const listening = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 0A (?:\S+ +){5}(\d+)/;

/** Ports this process listens on, as the kernel knows them: none can be forgotten. */
export function ownPorts(): number[] {
  const own = new Set(
    readdirSync("/proc/self/fd").flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${name}`))?.[1] ?? [];
      } catch (error) {
        if (error instanceof Error) return []; // closed while the list was read, its own descriptor among them
        throw error;
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, port, inode] = listening.exec(line) ?? [];
        return port !== undefined && inode !== undefined && own.has(inode) ? [Number.parseInt(port, 16)] : [];
      }),
  );
}
