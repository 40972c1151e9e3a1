// Poses between two frames.
import { poseSize } from "../frames";

// Positions and lengths linearly, rotations by the normalised sum of quaternions, taken with signs on the same side.
export function blendPoses(a: Float32Array, b: Float32Array, blend: number, result: Float32Array): void {
  const keep = 1 - blend;
  for (let i = 0; i < result.length; i += poseSize) {
    result[i] = keep * a[i] + blend * b[i];
    result[i + 1] = keep * a[i + 1] + blend * b[i + 1];
    result[i + 2] = keep * a[i + 2] + blend * b[i + 2];
    blendRotation(a, b, blend, i + 3, result);
    result[i + 7] = keep * a[i + 7] + blend * b[i + 7];
  }
}

function blendRotation(a: Float32Array, b: Float32Array, blend: number, i: number, result: Float32Array): void {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  const bx = b[i], by = b[i + 1], bz = b[i + 2], bw = b[i + 3];
  const keep = 1 - blend;
  const turn = ax * bx + ay * by + az * bz + aw * bw < 0 ? -blend : blend;
  const x = keep * ax + turn * bx;
  const y = keep * ay + turn * by;
  const z = keep * az + turn * bz;
  const w = keep * aw + turn * bw;
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z + w * w) || 1);
  result[i] = scale * x;
  result[i + 1] = scale * y;
  result[i + 2] = scale * z;
  result[i + 3] = scale * w;
}

export function isFinitePose(poses: Float32Array, i: number): boolean {
  const sum = poses[i] + poses[i + 1] + poses[i + 2] + poses[i + 3] + poses[i + 4] + poses[i + 5] + poses[i + 6];
  return Number.isFinite(sum + poses[i + 7]);
}

// Writes the 4 x 4 matrix, by columns, of the pose that begins at poses[i], of a shape scaled by (x, y, z). A pose that
// is not finite gives zero: the body is not seen.
export function writeMatrix(
  poses: Float32Array, i: number, scale: readonly [number, number, number], matrix: Float32Array, at: number,
): void {
  if (!isFinitePose(poses, i)) {
    matrix.fill(0, at, at + 16);
    return;
  }
  const x = poses[i + 3], y = poses[i + 4], z = poses[i + 5], w = poses[i + 6];
  const [sx, sy] = scale;
  // A link may shrink to a point: its matrix must stay invertible, for the normals.
  const sz = Math.max(scale[2] * poses[i + 7], 1e-4 * sx);
  matrix[at] = (1 - 2 * (y * y + z * z)) * sx;
  matrix[at + 1] = 2 * (x * y + z * w) * sx;
  matrix[at + 2] = 2 * (x * z - y * w) * sx;
  matrix[at + 3] = 0;
  matrix[at + 4] = 2 * (x * y - z * w) * sy;
  matrix[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
  matrix[at + 6] = 2 * (y * z + x * w) * sy;
  matrix[at + 7] = 0;
  matrix[at + 8] = 2 * (x * z + y * w) * sz;
  matrix[at + 9] = 2 * (y * z - x * w) * sz;
  matrix[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
  matrix[at + 11] = 0;
  matrix[at + 12] = poses[i];
  matrix[at + 13] = poses[i + 1];
  matrix[at + 14] = poses[i + 2];
  matrix[at + 15] = 1;
}

// The points of contacts. A point that one of the frames does not have is where the other has it.
export function blendPoints(a: Float32Array, b: Float32Array, blend: number, result: Float32Array): void {
  for (let i = 0; i < result.length; ++i) {
    const x = (1 - blend) * a[i] + blend * b[i];
    result[i] = Number.isNaN(x) ? a[i] : x;
  }
}
