import { readModelFile } from '../models/model-files.ts';
import { miniLm } from '../models/models.ts';
import { type InferenceSession, Tensor } from '../models/onnxruntime.ts';
import { numberPieces, readVocabulary, type Vocabulary } from './word-pieces.ts';

/** A point on the unit sphere; texts of like meaning lie near each other. */
export type Embedding = Float32Array;

export async function readMiniLmVocabulary(): Promise<Vocabulary> {
  return readVocabulary(String(await readModelFile(miniLm.vocabulary)));
}

/** How many texts of one length are read at once: more of them make a larger block of memory, and no time. */
const together = 32;

/** The embeddings of texts, in their order. */
export async function embedTexts(
  texts: readonly string[],
  network: InferenceSession,
  vocabulary: Vocabulary,
): Promise<Embedding[]> {
  const pieces = texts.map((text) => numberPieces(text, vocabulary, miniLm.mostPieces));
  const embeddings = new Array<Embedding>(texts.length);
  // Texts of one length need no padding, and so the network no mask.
  const byLength = Map.groupBy(pieces.keys(), (i) => pieces[i]!.length);
  for (const [length, all] of byLength) {
    const places = new Tensor('int64', BigInt64Array.from(Array(length).keys(), BigInt), [length]);
    for (let from = 0; from < all.length; from += together) {
      const batch = all.slice(from, from + together);
      const numbers = BigInt64Array.from(
        batch.flatMap((i) => pieces[i]!),
        BigInt,
      );
      const input = new Tensor('int64', numbers, [batch.length, length]);
      const { embedding } = await network.run({ pieces: input, places });
      const data = embedding!.data as Float32Array;
      const size = data.length / batch.length;
      for (const [k, i] of batch.entries()) embeddings[i] = unit(data.slice(k * size, (k + 1) * size));
    }
  }
  return embeddings;
}

function unit(vector: Float32Array): Embedding {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
