import type { UserId } from "../../../events/ids.ts";
import { type Month, monthOf } from "../../billing/month.ts";
import type { Reservation, Result } from "../../billing/reservation.ts";
import { monthlyCap } from "../../billing/tiers.ts";
import type { TokenBudget } from "../../billing/token-budget.ts";
import { type AgentFeature, featureOf } from "../conversation/agents.ts";
import type { RunId, RunRow } from "../run/run-row.ts";
import type { AgentPorts, Step } from "./agent-ports.ts";

/** Tokens set aside for a step's model call. */
export interface Allowance {
  readonly month: Month;
  readonly feature: AgentFeature;
  readonly granted: Reservation;
}

/** The name of a step in its owner's usage row, the same however often the step is tried. */
export function stepOp(run: RunId["runId"], step: number): string {
  return `${run}.${step}`;
}

/** The run and step of an operation: the inverse of {@link stepOp}. */
export function splitStepOp(op: string): { run: string; step: number } {
  const dot = op.lastIndexOf(".");
  return { run: op.slice(0, dot), step: Number(op.slice(dot + 1)) };
}

/** @returns the allowance, or until when there is none */
export async function reserveTokens(step: Step, tokens: number): Promise<Allowance | { readonly untilMs: number }> {
  const { ports, body, row } = step;
  const { tier } = await ports.accounts.get(body.userId);
  const request = { op: stepOp(row.runId, row.step), within: row.agent, tokens, base: 0 };
  const feature = featureOf(row.agent);
  const caps = { total: monthlyCap(tier, feature), within: new Map<string, number>() };
  const { month, granted, refused } = await ports.budgets[feature].reserve(body.userId, [request], caps);
  const [own] = granted;
  return own ? { month, feature, granted: own } : { untilMs: refused[0]?.untilMs ?? ports.clock() };
}

/** Counts what a step took by its row, or gives back what was set aside. A failure is only noted: the row says what is owed. */
export async function settle(
  ports: AgentPorts,
  user: UserId,
  allowance: Allowance | undefined,
  row?: RunRow,
): Promise<void> {
  if (!allowance) return;
  const { month, feature, granted: request } = allowance;
  const result = row && resultOf(row, splitStepOp(request.op).step);
  try {
    await ports.budgets[feature].settle(user, month, [result ? { request, result } : { request }]);
  } catch (error) {
    ports.log.error("tokens_not_settled", error, { op: request.op });
  }
}

/** Settles what a worker that died has left open of a run. */
export async function settleLeftOpen(ports: AgentPorts, row: RunRow): Promise<void> {
  const results = new Map([...row.spent.keys()].map((step) => [stepOp(row.runId, step), resultOf(row, step)]));
  const found = new Map([...results].flatMap(([op, result]) => (result ? [[op, result] as const] : [])));
  await settleFrom(ports.budgets[featureOf(row.agent)], row.userId, monthOf(ports.clock()), found);
}

async function settleFrom(budget: TokenBudget, user: UserId, month: Month, results: ReadonlyMap<string, Result>) {
  if (results.size > 0)
    await budget.settleFromResults(
      user,
      month,
      (op) => results.has(op),
      async () => results,
    );
}

/** What a run's row says of the tokens a step took; absent while it has no result. */
export function resultOf(row: RunRow, step: number): Result | undefined {
  const spent = row.spent.get(step);
  return spent && { total: spent.tokens, reservation: spent.reservation };
}
