import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ulid } from "ulidx";
import { type WebSocket, WebSocketServer } from "ws";
import { type ClientFrame, clientFrame, type ServerFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import { type DeviceId, type ProposalId, type SessionId, scoutId, sessionId } from "../../events/ids.ts";
import { type Proposal, proposal as proposalSchema } from "../../events/proposals/proposal.ts";

/** A proposal with content derived from its number. */
export function makeProposal(n: number, change: Partial<Proposal> = {}): Proposal {
  const scout = scoutId.parse("sct_01JD0000000000000000000000");
  return proposalSchema.parse({
    id: `${scout}.msg-${n}`,
    scoutId: scout,
    sourceType: "gmail",
    sourceMsgRef: `msg-${n}`,
    rawSubject: `Subject ${n}`,
    rawSnippet: `Snippet ${n}`,
    reason: null,
    reasonCode: "personal",
    triagedAt: 1_000 + n,
    category: "unprocessed",
    payload: null,
    ...change,
  });
}

/** One device's socket, as the cloud sees it. */
export interface CloudConnection {
  readonly deviceId: DeviceId;
  send(frame: ServerFrame): void;
  sendText(text: string): void;
  /** Cuts it without a closing handshake. */
  cut(): void;
}

type Answer = "default" | "handled";

/** A cloud of one user, in memory, that follows events/frames/; tests bend it through its hooks. */
export class FakeCloud {
  /** Open and closed proposals by position; a cursor is a position. */
  readonly proposals: Proposal[] = [];
  readonly resolved = new Map<string, string>();
  readonly ackedBy = new Map<string, Set<DeviceId>>();
  readonly frames: ClientFrame[] = [];
  readonly connections = new Set<CloudConnection>();
  readonly tokens: string[] = [];
  readonly acceptedIds = new Set<string>();
  /** How far `resume` is set back. */
  overlap = 0;
  /** Called before a frame is answered; "handled" replaces the answer. */
  onFrame: (frame: ClientFrame, connection: CloudConnection) => Answer = () => "default";
  /** Called before each frame to a device; `false` keeps the frame from it. */
  onSend: (frame: ServerFrame, connection: CloudConnection) => boolean = () => true;
  /** Answers a ticket request in place of a ticket. */
  onTicket: (response: ServerResponse) => Answer = () => "default";
  /** Answers any other request of the HTTP API. */
  onRequest: (path: string, body: Buffer, response: ServerResponse) => Answer = () => "default";
  /** Whether it answers `bye`, whatever {@link onFrame} does with other frames. */
  confirmsBye = true;
  /** The session of a hello: a new one each time. */
  sessionOf: (device: DeviceId) => { sessionId: SessionId; sessionKey: string } = () => ({
    sessionId: sessionId.parse(`ses_${ulid()}`),
    sessionKey: "AAAA",
  });
  limits: Record<string, number> = { ...socketLimits };
  serverTime: () => number = Date.now;
  #waiting: { until: () => boolean; resolve: () => void }[] = [];
  readonly #http = createServer((request, response) => void this.#requested(request, response));
  readonly #sockets = new WebSocketServer({ server: this.#http });

  async start(): Promise<string> {
    this.#sockets.on("connection", (socket, request) => this.#connected(socket, request));
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  /** Resolves when the condition holds; looked at after every frame and connection. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ until: condition, resolve }));
  }

  push(frame: ServerFrame): void {
    for (const connection of this.connections) connection.send(frame);
  }

  framesOf<T extends ClientFrame["type"]>(type: T): Extract<ClientFrame, { type: T }>[] {
    return this.frames.filter((frame) => frame.type === type) as Extract<ClientFrame, { type: T }>[];
  }

  #look(): void {
    const ready = this.#waiting.filter(({ until }) => until());
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }

  async #requested(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.url?.endsWith("/tickets")) this.#ticket(request, body, response);
    else if (this.onRequest(request.url ?? "", body, response) === "default") response.writeHead(404).end();
    this.#look();
  }

  #ticket(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    this.tokens.push(request.headers.authorization ?? "");
    if (this.onTicket(response) === "default") {
      const { deviceId } = JSON.parse(body.toString());
      const socketUrl = this.url.replace("http:", "ws:");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ticket: `${deviceId}~${ulid()}`, expiresInSeconds: 30, socketUrl }));
    }
  }

  #connected(socket: WebSocket, request: IncomingMessage): void {
    const ticket = new URL(request.url ?? "/", this.url).searchParams.get("ticket") ?? "";
    const connection: CloudConnection = {
      deviceId: (ticket.split("~")[0] ?? "") as DeviceId,
      send: (frame) => {
        if (this.onSend(frame, connection)) socket.send(JSON.stringify(frame));
      },
      sendText: (text) => socket.send(text),
      cut: () => socket.terminate(),
    };
    this.connections.add(connection);
    socket.on("close", () => {
      this.connections.delete(connection);
      this.#look();
    });
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const frame = clientFrame.parse(JSON.parse(data.toString()));
      this.frames.push(frame);
      if (frame.type === "bye" && this.confirmsBye) connection.send({ type: "accepted", inReplyTo: frame.id });
      else if (this.onFrame(frame, connection) === "default") this.#answer(frame, connection);
      this.#look();
    });
    this.#look();
  }

  #answer(frame: ClientFrame, connection: CloudConnection): void {
    switch (frame.type) {
      case "hello":
        connection.send({
          type: "session_ready",
          inReplyTo: frame.id,
          ...this.sessionOf(connection.deviceId),
          limits: this.limits,
          serverTime: this.serverTime(),
        });
        return;
      case "ping":
        connection.send({ type: "pong", inReplyTo: frame.id });
        return;
      case "proposals_pull":
        this.#page(frame, connection);
        return;
      case "proposals_check":
        for (const proposalId of frame.proposalIds.filter((id) => this.resolved.has(id))) {
          connection.send({ type: "scout_proposal_closed", proposalId, reason: "resolved_elsewhere" });
        }
        connection.send({ type: "accepted", inReplyTo: frame.id });
        return;
      case "scout_proposal_ack":
        this.acceptedIds.add(frame.id);
        this.#acked([frame.proposalId], connection.deviceId);
        connection.send({ type: "accepted", inReplyTo: frame.id });
        return;
      case "scout_proposals_ack":
        this.acceptedIds.add(frame.id);
        this.#acked(frame.proposalIds, connection.deviceId);
        connection.send({ type: "accepted", inReplyTo: frame.id });
        return;
      case "scout_proposal_resolved":
        this.acceptedIds.add(frame.id);
        this.resolved.set(frame.proposalId, frame.outcome);
        connection.send({ type: "accepted", inReplyTo: frame.id });
        return;
      case "agent_run":
        // As a home says that has no model of its own; one that says nothing is waited for, minutes long.
        if (frame.agent === "categorize") {
          connection.send({ type: "error", code: "categorize_off", message: "", inReplyTo: frame.id });
        }
        return;
      default:
        return;
    }
  }

  #acked(ids: readonly ProposalId[], device: DeviceId): void {
    for (const id of ids) {
      const devices = this.ackedBy.get(id) ?? new Set();
      this.ackedBy.set(id, devices.add(device));
    }
  }

  #page(frame: Extract<ClientFrame, { type: "proposals_pull" }>, connection: CloudConnection): void {
    const from = Number(frame.after ?? 0);
    const to = Math.min(this.proposals.length, from + frame.limit);
    const open = this.proposals.slice(from, to).filter((proposal) => !this.resolved.has(proposal.id));
    for (const proposal of open) connection.send({ type: "scout_proposal", proposal });
    connection.send({
      type: "proposals_page",
      inReplyTo: frame.id,
      count: open.length,
      resume: String(Math.max(0, to - this.overlap)),
      ...(to < this.proposals.length ? { next: String(to) } : {}),
    });
  }
}
