import type { TextSink } from './json-string-decoder.ts';
import type { BodyScanner, OpenImage } from './received-body.ts';

/** Reads a body that is a file by itself. The value has it in one field, as a form with one file would. */
export class FileScanner implements BodyScanner {
  readonly #file: { name: string; sink: TextSink };
  readonly #field: string;

  constructor(openImage: OpenImage, field: string) {
    this.#file = openImage();
    this.#field = field;
  }

  write(chunk: Buffer): void {
    this.#file.sink.write(chunk, 0, chunk.length);
  }

  end(): Record<string, string> {
    this.#file.sink.end();
    return { [this.#field]: this.#file.name };
  }
}
