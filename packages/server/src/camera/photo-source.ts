/** Where photos come from beside the browser's own camera. */
export interface PhotoSource {
  /** What the operator reads. */
  name: string;
  /** Takes a photo and gives its file; rejects with a sentence for the operator. */
  shoot(signal: AbortSignal): Promise<Buffer>;
}
