/** A loss at a point; writes its gradient there. */
export type Loss = (at: Float64Array, gradient: Float64Array) => number;

const historyLength = 8;
const maxSteps = 60;
/** Stop when a step improves the loss by less than this share of it. */
const tolerance = 5e-6;

/** Where a convex loss is least, begun at `start`. Deterministic: full-batch L-BFGS (Nocedal and Wright, algorithm 7.5). */
export function minimize(lossAndGradient: Loss, start: Float64Array): Float64Array {
  const point = Float64Array.from(start);
  const gradient = new Float64Array(point.length);
  let loss = lossAndGradient(point, gradient);
  const history: Correction[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const direction = descentDirection(gradient, history);
    const next = search(lossAndGradient, point, gradient, direction, loss);
    const correction = correctionOf(point, next.point, gradient, next.gradient);
    if (correction.curvature > 1e-12) history.push(correction);
    if (history.length > historyLength) history.shift();
    point.set(next.point);
    gradient.set(next.gradient);
    const gain = loss - next.loss;
    loss = next.loss;
    if (gain < tolerance * Math.max(1, loss)) break;
  }
  return point;
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
  lossAndGradient: Loss,
  from: Float64Array,
  gradient: Float64Array,
  direction: Float64Array,
  loss: number,
): { point: Float64Array; gradient: Float64Array; loss: number } {
  const slope = dot(gradient, direction);
  const nextGradient = new Float64Array(from.length);
  for (let length = 1; length > 1e-6; length /= 2) {
    const point = from.map((value, index) => value + length * (direction[index] ?? 0));
    const nextLoss = lossAndGradient(point, nextGradient);
    if (nextLoss <= loss + 1e-4 * length * slope) return { point, gradient: nextGradient, loss: nextLoss };
  }
  return { point: from, gradient, loss };
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
