import { minimize } from "./minimize.ts";

/** A row of a sparse matrix: column numbers with their values. */
export interface SparseRow {
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Logistic regression with a Gaussian prior for each weight (L2 towards a mean); the intercept is free. */
export interface LogisticProblem {
  readonly rows: readonly SparseRow[];
  /** 1 or 0 for each row. */
  readonly labels: readonly number[];
  /** How often each row counts. */
  readonly weights: readonly number[];
  readonly columnCount: number;
  /** Precision of each weight's prior. */
  readonly penalty: Float64Array;
  /** Mean of each weight's prior; the search starts there. */
  readonly priorMean: Float64Array;
}

/** The fitted weights, the intercept last. Deterministic. */
export function fitLogistic(problem: LogisticProblem): Float64Array {
  const start = new Float64Array(problem.columnCount + 1);
  start.set(problem.priorMean);
  return minimize((weights, gradient) => lossAndGradient(problem, weights, gradient), start);
}

/** The log-odds of a row. */
export function logit(weights: Float64Array, row: SparseRow): number {
  let sum = weights[weights.length - 1] ?? 0;
  for (let index = 0; index < row.columns.length; index += 1) {
    sum += (weights[row.columns[index] ?? 0] ?? 0) * (row.values[index] ?? 0);
  }
  return sum;
}

function lossAndGradient(problem: LogisticProblem, weights: Float64Array, gradient: Float64Array): number {
  const { rows, labels, weights: rowWeights, columnCount, penalty, priorMean } = problem;
  let loss = 0;
  gradient.fill(0);
  for (let column = 0; column < columnCount; column += 1) {
    const offset = (weights[column] ?? 0) - (priorMean[column] ?? 0);
    const strength = penalty[column] ?? 0;
    loss += 0.5 * strength * offset * offset;
    gradient[column] = strength * offset;
  }
  for (const [index, row] of rows.entries()) {
    const odds = logit(weights, row);
    const label = labels[index] ?? 0;
    const weight = rowWeights[index] ?? 1;
    // log(1 + e^x) without overflow.
    loss += weight * (Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds))) - label * odds);
    const error = weight * (1 / (1 + Math.exp(-odds)) - label);
    for (let entry = 0; entry < row.columns.length; entry += 1) {
      const column = row.columns[entry] ?? 0;
      gradient[column] = (gradient[column] ?? 0) + error * (row.values[entry] ?? 0);
    }
    gradient[columnCount] = (gradient[columnCount] ?? 0) + error;
  }
  return loss;
}
