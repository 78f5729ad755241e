import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { answerWithinMs } from "../../activity/approval-table.ts";
import type { ApproverAtClient } from "../../activity/waiting-approver.ts";
import type { ApprovalQuestion } from "../policy/approver.ts";

/** What a person can look through; the rest is said to be missing. */
const maxDiffChars = 20_000;

/**
 * Asks the person at the client through MCP's elicitation; a client that cannot ask has nobody there.
 *
 * @param current the server, once there is one
 */
export function elicitationApprover(current: () => Server | undefined): ApproverAtClient {
  // A client may be able to open addresses only (`url`): what is asked here is a form.
  const canAsk = () => current()?.getClientCapabilities()?.elicitation?.form !== undefined;
  return {
    canAsk,
    async approve(question, signal) {
      const server = current();
      if (server === undefined || !canAsk()) return undefined;
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
          { timeout: answerWithinMs, ...(signal && { signal }) },
        );
        // What is sent without a tick, and a question that is closed, are the person's own no.
        return action === "accept" && content?.["approve"] === true;
      } catch (error) {
        // Timed out, cancelled, an error (McpError), an answer of another form ($ZodError), or nobody connected: no answer.
        const isGone = server.transport === undefined || signal?.aborted;
        if (isGone || error instanceof McpError || error instanceof z.core.$ZodError) return undefined;
        throw error;
      }
    },
  };
}

function messageOf({ caller, tool, action, reason, diff }: ApprovalQuestion): string {
  const cut = Math.max(0, (diff?.length ?? 0) - maxDiffChars);
  const rest = cut === 0 ? "" : `\n[${cut} more characters are not shown here; say no if they matter]`;
  const shown = diff === undefined ? "" : `\n\n${diff.slice(0, maxDiffChars)}${rest}`;
  return `May ${caller} (${tool}) ${action}? It is asked because ${reason}.${shown}`;
}
