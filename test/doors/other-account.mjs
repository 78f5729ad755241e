// What a program of another account of this machine tries: to read the home's files, and to ask every port for everything.
// Gets {folder, ports, requests} on stdin and prints what it was told, one JSON object.
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const { folder, ports, requests } = JSON.parse(input);

const attempt = (work) => {
  try {
    return { got: String(work()) };
  } catch (error) {
    return { refused: error.code };
  }
};
const files = {
  "home.json": attempt(() => readFileSync(`${folder}/home.json`)),
  "cloud/": attempt(() => readdirSync(`${folder}/cloud`)),
  "world/": attempt(() => readdirSync(`${folder}/world`)),
  "device/": attempt(() => readdirSync(`${folder}/device`)),
};

const ask = (port, { method, path, headers = {}, body }) =>
  new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, timeout: 20_000 }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode, location: response.headers.location, text });
      });
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode, text: "" });
    });
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", (error) => resolve({ status: 0, text: error.message }));
    sent.end(body);
  });

const answers = [];
for (const port of ports) {
  for (const each of requests) answers.push({ port, asked: `${each.method} ${each.path}`, ...(await ask(port, each)) });
}
process.stdout.write(JSON.stringify({ uid: process.getuid(), files, answers }));
