import { embeddingLength } from './latent-matrix.ts';

/**
 * What an inswapper takes as its source: the embedding at length 1, as a row times the matrix, at length 1 again.
 * Null for an embedding or a product without length.
 */
export function latentOf(embedding: Float32Array, matrix: Float32Array): Float32Array | null {
  const unit = normalised(embedding);
  if (!unit) return null;
  const latent = new Float32Array(embeddingLength);
  for (let row = 0; row < embeddingLength; row++) {
    const share = unit[row]!;
    for (let column = 0; column < embeddingLength; column++) {
      latent[column]! += share * matrix[row * embeddingLength + column]!;
    }
  }
  return normalised(latent);
}

function normalised(values: Float32Array): Float32Array | null {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 1e-9) || !Number.isFinite(length)) return null;
  return values.map((value) => value / length);
}
