import { clientFrame, serverFrame } from "../../../events/frames/frames.ts";
import { protocolVersion, socketLimits } from "../../../events/frames/limits.ts";
import { samplesOf } from "./document.ts";
import { schemaOf } from "./frame-fields.ts";
import { clientNotes, serverNotes } from "./notes.ts";

export const asyncApiFile = new URL("../../../docs/asyncapi.json", import.meta.url);

const channel = { $ref: "#/channels/device" };
const inChannel = (type: string) => ({ $ref: `#/channels/device/messages/${type}` });
const camel = (type: string) => type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function message(
  union: "clientFrame" | "serverFrame",
  type: string,
  schema: Parameters<typeof schemaOf>[0],
  summary: string,
) {
  const examples = samplesOf(union, type).map((payload) => ({ payload }));
  return {
    name: type,
    contentType: "application/json",
    ...(summary === "" ? {} : { summary }),
    payload: schemaOf(schema),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/**
 * The socket as an AsyncAPI 3.0 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0), from the cloud's
 * point of view: it receives what a device sends.
 */
export function asyncApi() {
  const client = clientFrame.options.map((schema) => ({ type: schema.shape.type.value, schema }));
  const server = serverFrame.options.map((schema) => ({ type: schema.shape.type.value, schema }));
  /** A type may go both ways; the message from the cloud then has a key of its own. */
  const bothWays = new Set(client.map(({ type }) => type).filter((type) => server.some((each) => each.type === type)));
  const keyFromCloud = (type: string) => ([...bothWays].some((each) => each === type) ? `${type}_from_cloud` : type);
  const answers = new Set(client.flatMap(({ type }) => clientNotes[type]?.answers ?? []));
  const unasked = server.filter(({ type }) => !answers.has(type) || type === "scout_proposal");
  const messages = Object.fromEntries([
    ...client.map(({ type, schema }) => {
      return [
        type,
        message("clientFrame", type, schema, clientNotes[type]?.purpose ?? schema.description ?? ""),
      ] as const;
    }),
    ...server.map(({ type, schema }) => {
      return [
        keyFromCloud(type),
        message("serverFrame", type, schema, serverNotes[type] ?? schema.description ?? ""),
      ] as const;
    }),
  ]);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Scouts: devices and the cloud",
      version: `${protocolVersion}.0.0`,
      description:
        "The frames of the WebSocket between a device and the cloud. docs/protocol.md says what they are for, in which order they go, and how a connection ends.",
    },
    defaultContentType: "application/json",
    servers: {
      deployed: {
        host: "{api}.execute-api.{region}.amazonaws.com",
        pathname: "/$default",
        protocol: "wss",
        description: "`socketUrl` in the answer to `POST /api/v1/device/tickets` names the real one.",
        variables: { api: { description: "The API's id." }, region: { default: "us-east-1" } },
        security: [{ $ref: "#/components/securitySchemes/ticket" }],
      },
      local: {
        host: "127.0.0.1:{port}",
        pathname: "/socket",
        protocol: "ws",
        variables: { port: { default: "7411" } },
        security: [{ $ref: "#/components/securitySchemes/ticket" }],
      },
    },
    channels: {
      device: {
        address: "/",
        description: `Frames of at most ${socketLimits.frameBytes} bytes, messages of at most ${socketLimits.messageBytes}, one JSON object each.`,
        messages: Object.fromEntries(
          Object.keys(messages).map((type) => [type, { $ref: `#/components/messages/${type}` }]),
        ),
        bindings: {
          ws: {
            method: "GET",
            query: {
              type: "object",
              properties: {
                ticket: { type: "string", description: "From `POST /api/v1/device/tickets`; opens one socket." },
              },
              required: ["ticket"],
            },
            bindingVersion: "0.1.0",
          },
        },
      },
    },
    operations: Object.fromEntries([
      ...client.map(({ type }) => [
        `receive${camel(type)}`,
        {
          action: "receive",
          channel,
          messages: [inChannel(type)],
          reply: {
            channel,
            messages: [...(clientNotes[type]?.answers ?? ["accepted"]), "error"].map((answer) =>
              inChannel(keyFromCloud(answer)),
            ),
          },
        },
      ]),
      ...unasked.map(({ type }) => [
        `send${camel(type)}`,
        { action: "send", channel, messages: [inChannel(keyFromCloud(type))] },
      ]),
    ]),
    components: {
      messages,
      securitySchemes: {
        ticket: {
          type: "httpApiKey",
          in: "query",
          name: "ticket",
          description: "Bound to a person and a device, spent by its first use.",
        },
      },
    },
  };
}

/** The document as it is kept. */
export const asyncApiText = () => `${JSON.stringify(asyncApi(), null, 2)}\n`;
