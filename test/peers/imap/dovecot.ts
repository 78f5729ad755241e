import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { selfSigned } from "./certificate.ts";
import type { ImapPeer } from "./peer.ts";
import { freePorts, greeted, withServers } from "./process.ts";

const run = promisify(execFile);
const password = "correct horse battery";

/** Where Debian's package puts it; nothing is installed by us. */
export async function dovecotVersion(): Promise<string | undefined> {
  // The core alone speaks no IMAP; Debian takes this part away when another mail server is installed.
  if (!existsSync("/usr/lib/dovecot/imap")) return undefined;
  try {
    const { stdout } = await run("dovecot", ["--version"], {
      env: withServers,
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
  let changes = 0;
  const setPassword = async (word: string) => {
    await writeFile(users, `ada:{PLAIN}${word}\n`, { mode: 0o644 });
    // It tells by size and whole seconds whether the file has changed.
    changes += 1;
    await utimes(users, changes, changes);
  };
  await setPassword(password);
  await mkdir(join(folder, "mail"));
  await writeFile(join(folder, "dovecot.conf"), configuration({ folder, plain, encrypted, key, users }));
  // Dovecot's own processes run as other users when it was started by root.
  await chmod(folder, 0o755);
  const { uid } = userInfo();
  if (uid === 0) await run("chown", ["-R", "nobody", join(folder, "mail")]);
  const dovecot = spawn("dovecot", ["-F", "-c", join(folder, "dovecot.conf")], {
    stdio: "ignore",
    env: withServers,
  });
  const ended = once(dovecot, "exit");
  await greeted(plain, ended);
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
