/**
 * Reads FlatBuffers: https://flatbuffers.dev/internals/
 *
 * A table begins with the distance back to its list of fields, which says for each field how far behind the table's
 * start its value lies, or 0 where it has its default.
 *
 * By hand, in 70 lines: the package `flatbuffers` (0.3 MB, no dependencies) finds fields by the same numbers as here. What
 * it would save is the code that its compiler makes of a schema, and npm has no package with that of TensorFlow Lite,
 * of which a conversion reads two dozen fields.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #start: number;

  private constructor(view: DataView, start: number) {
    this.#view = view;
    this.#start = start;
  }

  /** The table that a file begins with. */
  static rootOf(file: Buffer): FlatTable {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  integer(field: number, otherwise = 0): number {
    const at = this.#find(field);
    return at === null ? otherwise : this.#view.getInt32(at, true);
  }

  byte(field: number): number {
    const at = this.#find(field);
    return at === null ? 0 : this.#view.getUint8(at);
  }

  table(field: number): FlatTable | null {
    const at = this.#find(field);
    return at === null ? null : this.#follow(at);
  }

  tables(field: number): FlatTable[] {
    const { start, length } = this.#vector(field);
    return Array.from({ length }, (_, i) => this.#follow(start + 4 * i));
  }

  integers(field: number): number[] {
    const { start, length } = this.#vector(field);
    return Array.from({ length }, (_, i) => this.#view.getInt32(start + 4 * i, true));
  }

  bytes(field: number): Uint8Array {
    const { start, length } = this.#vector(field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length);
  }

  /** Where a field's value lies, or null where it has its default. */
  #find(field: number): number | null {
    const fields = this.#start - this.#view.getInt32(this.#start, true);
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(fields, true)) return null;
    const offset = this.#view.getUint16(fields + entry, true);
    return offset === 0 ? null : this.#start + offset;
  }

  #follow(at: number): FlatTable {
    return new FlatTable(this.#view, at + this.#view.getUint32(at, true));
  }

  #vector(field: number): { start: number; length: number } {
    const at = this.#find(field);
    if (at === null) return { start: 0, length: 0 };
    const length = at + this.#view.getUint32(at, true);
    return { start: length + 4, length: this.#view.getUint32(length, true) };
  }
}
