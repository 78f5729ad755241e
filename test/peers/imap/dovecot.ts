import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { selfSigned } from "./certificate.ts";
import type { ImapPeer } from "./peer.ts";

const run = promisify(execFile);
const password = "correct horse battery";

/** Where Debian's package puts it; nothing is installed by us. */
export async function dovecotVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await run("dovecot", ["--version"], {
      env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` },
    });
    return stdout.trim();
  } catch {
    // It is not there, or not to be run here: whoever asks says so.
    return undefined;
  }
}

/** Dovecot as a plain process on 127.0.0.1 with a configuration, mailboxes and passwords of its own in a temporary folder. */
export async function startDovecot(): Promise<ImapPeer> {
  const folder = await mkdtemp(join(tmpdir(), "scouts-dovecot-"));
  const [plain, encrypted] = await freePorts();
  const { key, certificate } = await selfSigned(folder);
  const users = join(folder, "users");
  const setPassword = (word: string) => writeFile(users, `ada:{PLAIN}${word}\n`, { mode: 0o644 });
  await setPassword(password);
  await mkdir(join(folder, "mail"));
  await writeFile(join(folder, "dovecot.conf"), configuration({ folder, plain, encrypted, key, users }));
  // Dovecot's own processes run as other users when it was started by root.
  await chmod(folder, 0o755);
  const { uid } = userInfo();
  if (uid === 0) await run("chown", ["-R", "nobody", join(folder, "mail")]);
  const dovecot = spawn("dovecot", ["-F", "-c", join(folder, "dovecot.conf")], {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` },
  });
  const ended = once(dovecot, "exit");
  await answering(plain, ended);
  return {
    name: `Dovecot ${await dovecotVersion()}`,
    host: "localhost",
    plain,
    encrypted,
    ca: await readFile(certificate, "utf8"),
    user: "ada",
    password,
    setPassword,
    log: () => readFile(join(folder, "dovecot.log"), "utf8"),
    async close() {
      dovecot.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Places {
  readonly folder: string;
  readonly plain: number;
  readonly encrypted: number;
  readonly key: string;
  readonly users: string;
}

const configuration = ({ folder, plain, encrypted, key, users }: Places) => `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${key}
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
mail_max_userip_connections = 20
passdb {
  driver = passwd-file
  args = ${users}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail/%u
}
auth_cache_size = 0
auth_failure_delay = 0 secs
namespace inbox {
  inbox = yes
  separator = /
  mailbox Trash {
    special_use = \\Trash
    auto = create
  }
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
service imap-login {
  inet_listener imap {
    port = ${plain}
  }
  inet_listener imaps {
    port = ${encrypted}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`;

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) ports.push(address.port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const [first = 0, second = 0] = ports;
  return [first, second];
}

/** Waits for the greeting. @throws Error when the server ends first */
async function answering(port: number, ended: Promise<unknown>): Promise<void> {
  const { connect } = await import("node:net");
  let over = false;
  ended.then(() => {
    over = true;
  });
  for (;;) {
    if (over) throw new Error("Dovecot ended at once; its log says why");
    const socket = connect(port, "127.0.0.1");
    const greeted = await new Promise<boolean>((resolve) => {
      socket
        .once("data", () => resolve(true))
        .once("error", () => resolve(false))
        .once("close", () => resolve(false));
    });
    socket.destroy();
    if (greeted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
