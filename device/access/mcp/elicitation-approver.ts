import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { ApprovalQuestion, Approver } from "../policy/approver.ts";

/** A person who has not answered by then is not there. */
const answerWithinMs = 5 * 60_000;
const maxDiffChars = 4_000;

/** Asks the person at the client through MCP's elicitation; a client that cannot ask has nobody there. */
export function elicitationApprover(server: Server): Approver {
  return {
    async approve(question) {
      if (server.getClientCapabilities()?.elicitation === undefined) return false;
      try {
        const { action, content } = await server.elicitInput(
          {
            message: messageOf(question),
            requestedSchema: {
              type: "object",
              properties: { approve: { type: "boolean", title: "Approve", description: "Let this happen once." } },
              required: ["approve"],
            },
          },
          { timeout: answerWithinMs },
        );
        return action === "accept" && content?.["approve"] === true;
      } catch {
        // Timed out, cancelled, disconnected: no clear yes.
        return false;
      }
    },
  };
}

function messageOf({ caller, tool, action, reason, diff }: ApprovalQuestion): string {
  const shown = diff === undefined ? "" : `\n\n${diff.slice(0, maxDiffChars)}`;
  return `May ${caller} (${tool}) ${action}? It is asked because ${reason}.${shown}`;
}
