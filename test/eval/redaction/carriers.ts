import type { Draw } from "./draw.ts";

/** How a format writes a named value among ordinary lines. A value of several lines is written as that format would. */
export interface Carrier {
  readonly format: string;
  write(name: string, value: string, draw: Draw): string;
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string) => name.replaceAll("_", "-");
const title = (name: string) => name.replaceAll("_", " ").replace(/^./u, (letter) => letter.toUpperCase());
const upper = (name: string) => name.toUpperCase();
const oneLine = (value: string) => value.replaceAll("\n", "\\n");
const indented = (value: string, by: string) =>
  value
    .split("\n")
    .map((line) => by + line)
    .join("\n");
const isBlock = (value: string) => value.includes("\n");
const host = (draw: Draw) => draw.of(["db.internal", "mail.example.org", "10.0.4.17", "cache-2.local"]);

export const carriers: readonly Carrier[] = [
  {
    format: ".env",
    write: (name, value, draw) =>
      `# service\nHOST=${host(draw)}\nPORT=${draw.below(9000) + 1000}\n${upper(name)}=${isBlock(value) ? `"${oneLine(value)}"` : value}\nLOG_LEVEL=info\n`,
  },
  {
    format: "YAML",
    write: (name, value, draw) =>
      `service:\n  host: ${host(draw)}\n  user: app\n  ${draw.of([name, camel(name), kebab(name)])}: ${isBlock(value) ? `|\n${indented(value, "    ")}` : value}\n  retries: 3\n`,
  },
  {
    format: "JSON",
    write: (name, value, draw) =>
      `${JSON.stringify({ host: host(draw), user: "app", [draw.of([name, camel(name)])]: value, retries: 3 }, null, draw.of([0, 2]))}\n`,
  },
  {
    format: "INI",
    write: (name, value, draw) => `[client]\nuser = app\n${name} = ${oneLine(value)}\nhost = ${host(draw)}\n`,
  },
  {
    format: "properties",
    write: (name, value, draw) =>
      `app.url=jdbc:h2:mem\napp.user=app\napp.${kebab(name)}=${oneLine(value)}\napp.host=${host(draw)}\n`,
  },
  {
    format: "TOML",
    write: (name, value, draw) =>
      `[server]\nhost = "${host(draw)}"\n${name} = ${isBlock(value) ? `"""\n${value}\n"""` : `"${value}"`}\nport = 8080\n`,
  },
  {
    format: "XML",
    write: (name, value, draw) =>
      draw.of([
        `<server>\n  <id>main</id>\n  <username>app</username>\n  <${camel(name)}>${value}</${camel(name)}>\n</server>\n`,
        `<configuration>\n  <add key="User" value="app" />\n  <add key="${camel(name)}" value="${value}" />\n</configuration>\n`,
      ]),
  },
  {
    format: "CSV",
    write: (name, value, draw) =>
      `site,user,${name},note\n${host(draw)},ann,"${value}",work\n${host(draw)},bob,"${value}",\n`,
  },
  {
    format: "shell",
    write: (name, value, draw) =>
      `#!/bin/sh\nset -eu\n${draw.of([`export ${upper(name)}='${value}'`, `${upper(name)}="${value}"`, `deploy --host ${host(draw)} --${kebab(name)} '${value}' --verbose`])}\nmake release\n`,
  },
  {
    format: "Dockerfile",
    write: (name, value) =>
      `FROM alpine:3.20\nENV ${upper(name)}=${isBlock(value) ? `"${oneLine(value)}"` : value}\nRUN make install\n`,
  },
  {
    format: "HTTP",
    write: (name, value, draw) =>
      draw.of([
        `POST /v1/items HTTP/1.1\nHost: api.example.org\nX-${title(name).replaceAll(" ", "-")}: ${oneLine(value)}\nAccept: application/json\n\n`,
        `GET /v1/items?page=2&${name}=${encodeURIComponent(value).replaceAll("%3A", ":")}&sort=asc HTTP/1.1\nHost: api.example.org\n\n`,
      ]),
  },
  {
    format: "prose",
    write: (name, value, draw) =>
      draw.of([
        `Hello Ann,\n\nas promised, here is the access for the new server.\n\nUser: ann\n${title(name)}: ${value}\n\nPlease do not pass it on.\n`,
        `# Set-up\n\nOpen the console and log in as \`ann\`. The ${name.replaceAll("_", " ")} is \`${value}\`.\n\nThen start the import.\n`,
      ]),
  },
  {
    format: "TypeScript",
    write: (name, value, draw) =>
      `import { connect } from "./client.ts";\n\nconst ${camel(name)} = ${isBlock(value) ? `\`${value}\`` : `"${value}"`};\nexport const client = connect({ host: "${host(draw)}", ${camel(name)} });\n`,
  },
  {
    format: "Python",
    write: (name, value, draw) =>
      `import client\n\nclient.connect(\n    host="${host(draw)}",\n    ${name}=${isBlock(value) ? `"""${value}"""` : `"${value}"`},\n)\n`,
  },
];
