import { request } from "node:http";
import { connect } from "node:net";

/** A request as some program or page would send it to a port of this machine, whatever it says of itself. */
export interface ForeignRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends it to 127.0.0.1, with the Host header as given. */
export function send(port: number, { method = "GET", path = "/", headers = {}, body }: ForeignRequest) {
  return new Promise<Answered>((resolve, reject) => {
    const setHost = headers["host"] === undefined;
    const sent = request({ host: "127.0.0.1", port, method, path, headers, setHost, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: "" });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The status line that bytes are answered with, for requests no client would send. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on("close", () => resolve(answer.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
  });
}

/** What other people's pages and names for this machine look like, beside a request that would be answered. */
export function foreignHeaders(port: number): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  const own = `127.0.0.1:${port}`;
  return [
    ["a name that was bound to this machine", { host: `rebound.example:${port}` }],
    ["a name that looks like this machine", { host: `127.0.0.1.evil.example:${port}` }],
    ["this machine's name with a dot", { host: `localhost.:${port}` }],
    ["another port", { host: "127.0.0.1:1" }],
    ["no port", { host: "127.0.0.1" }],
    ["another way to write the address", { host: `2130706433:${port}` }],
    ["a page elsewhere", { host: own, origin: "https://evil.example" }],
    ["a page on another port", { host: own, origin: "http://127.0.0.1:1" }],
    ["a page over TLS", { host: own, origin: `https://${own}` }],
    ["a page of a file or a frame without an origin", { host: own, origin: "null" }],
    ["a picture of a page elsewhere", { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a script of a page on another port", { host: own, "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    [
      "a frame of a page elsewhere",
      { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    ],
  ];
}
