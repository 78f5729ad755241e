import { describe, expect, it } from "vitest";
import { failureOf } from "../../cli/failure.ts";
import { requireEncrypted } from "../../device/connect/encrypted-address.ts";
import { browserCommand } from "../../device/connect/open-browser.ts";
import { isDiskFull } from "../../device/errors/disk-full.ts";
import { LocalHomeError } from "../../infra/local/errors.ts";

const unexpected = { keep: () => undefined, debug: false };

describe("D9: what the desktop is asked to open", () => {
  it.each(["linux", "darwin", "win32"] as const)("is a page of the web, on %s", (platform) => {
    const [, words] = browserCommand("https://issuer.example/authorize?a=1&b=2", platform) ?? [];
    expect(words?.at(-1)).toBe("https://issuer.example/authorize?a=1&b=2");
    for (const address of [
      "file:///etc/passwd",
      "file://localhost/etc/passwd",
      "javascript:alert(1)",
      "smb://server/share",
      "ms-msdt:/id",
      "--help",
      "not an address",
    ]) {
      expect(browserCommand(address, platform), address).toBeUndefined();
    }
  });

  it("and an issuer's pages are at no other kind of address", () => {
    for (const address of ["file://localhost/etc/passwd", "ftp://127.0.0.1/", "http://issuer.example/"]) {
      expect(() => requireEncrypted(address), address).toThrow(expect.objectContaining({ code: "address_insecure" }));
    }
    for (const address of ["http://127.0.0.1:1/", "ws://localhost:1/", "wss://home.example/"]) {
      expect(requireEncrypted(address).href).toBe(address);
    }
  });
});

describe("D9: a full disk", () => {
  const full = Object.assign(new Error("write"), { code: "ENOSPC" });
  it.each<[string, Error]>([
    ["the system's", full],
    ["SQLite's", Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 })],
    ["LevelDB's", Object.assign(new Error("IO error: x.log: No space left on device"), { code: "LEVEL_IO_ERROR" })],
    ["one that another error hides", new LocalHomeError("data_unusable", "It cannot be written.", { cause: full })],
    ["our own", new LocalHomeError("disk_full", "Only 3 KB are left on the disk of it.")],
  ])("ends with code 4 and a cure: %s", (_, error) => {
    expect(isDiskFull(error)).toBe(true);
    expect(failureOf(error, unexpected)).toMatchObject({
      exitCode: 4,
      line: expect.stringMatching(/^scouts: .*\(disk_full\)$/),
    });
  });

  it("is not taken for something else", () => {
    expect(isDiskFull(new Error("full of hope"))).toBe(false);
    expect(failureOf(new LocalHomeError("mailbox_other", "No."), unexpected)).toMatchObject({ exitCode: 1 });
  });
});
