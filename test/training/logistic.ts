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

const historyLength = 8;
const maxSteps = 60;
/** Stop when a step improves the loss by less than this share of it. */
const tolerance = 5e-6;

/** The fitted weights, the intercept last. Deterministic: full-batch L-BFGS (Nocedal and Wright, algorithm 7.5). */
export function fitLogistic(problem: LogisticProblem): Float64Array {
  const weights = new Float64Array(problem.columnCount + 1);
  weights.set(problem.priorMean);
  const gradient = new Float64Array(weights.length);
  let loss = lossAndGradient(problem, weights, gradient);
  const history: Correction[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const direction = descentDirection(gradient, history);
    const next = search(problem, weights, gradient, direction, loss);
    const correction = correctionOf(weights, next.weights, gradient, next.gradient);
    if (correction.curvature > 1e-12) history.push(correction);
    if (history.length > historyLength) history.shift();
    weights.set(next.weights);
    gradient.set(next.gradient);
    const gain = loss - next.loss;
    loss = next.loss;
    if (gain < tolerance * Math.max(1, loss)) break;
  }
  return weights;
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

/** A past step: how far it went and how the gradient changed, with their product. */
interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly curvature: number;
}

function correctionOf(from: Float64Array, to: Float64Array, before: Float64Array, after: Float64Array): Correction {
  const step = to.map((value, index) => value - (from[index] ?? 0));
  const change = after.map((value, index) => value - (before[index] ?? 0));
  return { step, change, curvature: dot(step, change) };
}

function descentDirection(gradient: Float64Array, history: readonly Correction[]): Float64Array {
  const direction = Float64Array.from(gradient);
  const shares: number[] = [];
  for (const { step, change, curvature } of history.toReversed()) {
    const share = dot(step, direction) / curvature;
    shares.unshift(share);
    add(direction, change, -share);
  }
  const last = history.at(-1);
  const scale = last ? last.curvature / dot(last.change, last.change) : 1 / Math.sqrt(dot(gradient, gradient) + 1e-12);
  for (let index = 0; index < direction.length; index += 1) direction[index] = (direction[index] ?? 0) * scale;
  for (const [index, { step, change, curvature }] of history.entries()) {
    add(direction, step, (shares[index] ?? 0) - dot(change, direction) / curvature);
  }
  return direction.map((value) => -value);
}

/** Halves the step until the loss falls enough (Armijo). */
function search(
  problem: LogisticProblem,
  from: Float64Array,
  gradient: Float64Array,
  direction: Float64Array,
  loss: number,
): { weights: Float64Array; gradient: Float64Array; loss: number } {
  const slope = dot(gradient, direction);
  const nextGradient = new Float64Array(from.length);
  for (let length = 1; length > 1e-6; length /= 2) {
    const weights = from.map((value, index) => value + length * (direction[index] ?? 0));
    const nextLoss = lossAndGradient(problem, weights, nextGradient);
    if (nextLoss <= loss + 1e-4 * length * slope) return { weights, gradient: nextGradient, loss: nextLoss };
  }
  return { weights: from, gradient, loss };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function add(target: Float64Array, source: Float64Array, factor: number): void {
  for (let index = 0; index < target.length; index += 1) {
    target[index] = (target[index] ?? 0) + factor * (source[index] ?? 0);
  }
}
