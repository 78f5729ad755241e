import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * The command that shows a page on the desktop; undefined for anything but a page of the web. The desktop opens files and
 * programs by the same command, and the address comes from a server.
 */
export function browserCommand(
  address: string,
  platform: NodeJS.Platform,
): readonly [string, readonly string[]] | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  const [command, ...words] = openers[platform] ?? ["xdg-open"];
  return [command, [...words, url.href]];
}

/** Asks the desktop to show a page that this program has written itself. @param file absolute */
export function openPageFile(file: string): void {
  const [command, ...words] = openers[process.platform] ?? ["xdg-open"];
  start(command, [...words, file]);
}

/** Asks the desktop to show a page. Where there is none nothing happens: the address has been printed. */
export function openBrowser(address: string): void {
  const [command, words] = browserCommand(address, process.platform) ?? [];
  if (command === undefined || words === undefined) return;
  start(command, words);
}

function start(command: string, words: readonly string[]): void {
  const child = spawn(command, words, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
