import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** A certificate for `localhost` that only those believe who are handed it. */
export async function selfSigned(
  folder: string,
  subject = "localhost",
): Promise<{ readonly key: string; readonly certificate: string }> {
  const key = join(folder, "key.pem");
  const certificate = join(folder, "certificate.pem");
  const names = subject === "localhost" ? "subjectAltName=DNS:localhost,IP:127.0.0.1" : `subjectAltName=DNS:${subject}`;
  const what = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "30",
    "-subj",
    `/CN=${subject}`,
    "-addext",
    names,
  ];
  await promisify(execFile)("openssl", [...what, "-keyout", key, "-out", certificate]);
  return { key, certificate };
}
