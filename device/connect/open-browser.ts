import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Asks the desktop to show a page. Where there is none nothing happens: the address has been printed. */
export function openBrowser(url: string): void {
  const [command, ...words] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
