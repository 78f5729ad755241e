import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { selfSigned } from "./certificate.ts";
import type { ImapPeer } from "./peer.ts";
import { freePorts, greeted, withServers } from "./process.ts";

const run = promisify(execFile);
/** Where Debian's packages cyrus-imapd and sasl2-bin put them. */
const programs = { master: "/usr/lib/cyrus/bin/master", setPassword: "/usr/sbin/saslpasswd2" };
const password = "correct horse battery";

/** Why Cyrus cannot be run here, or nothing when it can. */
export function cyrusMissing(): string | undefined {
  if (!Object.values(programs).every((program) => existsSync(program)))
    return "cyrus-imapd and sasl2-bin are not installed";
  return userInfo().uid === 0 ? undefined : "Cyrus gives up root by itself, and so has to be started by root";
}

/** Cyrus as a plain process on 127.0.0.1 with all that it keeps in a temporary folder. */
export async function startCyrus(): Promise<ImapPeer> {
  const folder = await mkdtemp(join(tmpdir(), "scouts-cyrus-"));
  const [plain, encrypted] = await freePorts();
  const { certificate } = await selfSigned(folder);
  await mkdir(join(folder, "conf"));
  await mkdir(join(folder, "spool"));
  await writeFile(join(folder, "imapd.conf"), configuration(folder));
  await writeFile(join(folder, "cyrus.conf"), services(folder, plain, encrypted));
  const users = join(folder, "sasldb2");
  const setPassword = async (word: string) => {
    const setting = run(programs.setPassword, ["-p", "-c", "-f", users, "-u", hostname(), "ada"]);
    setting.child.stdin?.end(word);
    await setting;
    await run("chown", ["cyrus:mail", users]);
  };
  await setPassword(password);
  await run("chown", ["-R", "cyrus:mail", folder]);
  await chmod(folder, 0o755);
  const settings = [
    "-C",
    join(folder, "imapd.conf"),
    "-M",
    join(folder, "cyrus.conf"),
    "-p",
    join(folder, "pid"),
    "-D",
  ];
  const cyrus = spawn(programs.master, settings, { stdio: "ignore", env: withServers });
  const ended = once(cyrus, "exit");
  await greeted(plain, ended);
  const { stdout } = await run("/usr/lib/cyrus/bin/cyr_info", ["-C", join(folder, "imapd.conf"), "version"]).catch(
    () => ({
      stdout: "",
    }),
  );
  return {
    name: `Cyrus ${stdout.trim()}`.trim(),
    host: "localhost",
    plain,
    encrypted,
    ca: await readFile(certificate, "utf8"),
    user: "ada",
    password,
    setPassword,
    log: async () => "",
    async close() {
      cyrus.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (folder: string) => `
configdirectory: ${folder}/conf
partition-default: ${folder}/spool
defaultpartition: default
admins: cyrus
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: ${folder}/sasldb2
sasl_mech_list: PLAIN LOGIN
allowplaintext: yes
autocreate_quota: 0
autocreate_inbox_folders: Sent | Trash
unixhierarchysep: yes
altnamespace: yes
virtdomains: off
sieveusehomedir: false
sievedir: ${folder}/conf/sieve
tls_server_cert: ${folder}/certificate.pem
tls_server_key: ${folder}/key.pem
mboxname_lockpath: ${folder}/conf/lock
proc_path: ${folder}/conf/proc
idlesocket: ${folder}/conf/idle
`;

const services = (folder: string, plain: number, encrypted: number) => `
START {
  recover cmd="/usr/lib/cyrus/bin/ctl_cyrusdb -C ${folder}/imapd.conf -r"
}
SERVICES {
  imap cmd="/usr/lib/cyrus/bin/imapd -C ${folder}/imapd.conf -U 30" listen="127.0.0.1:${plain}" prefork=0 maxchild=100
  imaps cmd="/usr/lib/cyrus/bin/imapd -C ${folder}/imapd.conf -s -U 30" listen="127.0.0.1:${encrypted}" prefork=0 maxchild=100
}
EVENTS {
}
`;
