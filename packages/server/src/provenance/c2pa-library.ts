import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WasmBuilder } from '@contentauth/c2pa-wasm';

export type C2paLibrary = typeof import('@contentauth/c2pa-wasm');
type Source = Parameters<WasmBuilder['sign']>[3];

/** Nothing is fetched: no manifest that a file names, no revocation list, no timestamp. */
const offline = { remote_manifest_fetch: false, ocsp_fetch: false };

/** Settings of the library for a file to be signed. No thumbnail: the picture itself is there. */
export const signingSettings = JSON.stringify({
  verify: { ...offline, verify_after_sign: false },
  builder: { thumbnail: { enabled: false } },
});

/** Settings of the library for a file to be read. `trusted` are certificates in PEM that count as known. */
export function readingSettings(trusted: string | undefined): string {
  return JSON.stringify({
    verify: { ...offline, verify_trust: true },
    ...(trusted !== undefined && { trust: { trust_anchors: trusted } }),
  });
}

/** The official library, compiled to WebAssembly: 9 MB that are read and compiled now. */
export async function loadC2pa(): Promise<C2paLibrary> {
  const library = await import('@contentauth/c2pa-wasm');
  const wasm = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
  library.initSync({ module: readFileSync(wasm) });
  return library;
}

/** Bytes as the library asks for them when it signs: as a browser's `Blob`, through `FileReaderSync`. */
export function sourceOf(bytes: Uint8Array<ArrayBuffer>): Source {
  Object.assign(globalThis, { FileReaderSync: MemoryReader });
  return new MemoryBlob(bytes) as unknown as Source;
}

class MemoryBlob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
  get size(): number {
    return this.bytes.length;
  }
  slice(start: number, end: number): MemoryBlob {
    return new MemoryBlob(this.bytes.subarray(start, end));
  }
}

class MemoryReader {
  readAsArrayBuffer({ bytes }: MemoryBlob): ArrayBuffer {
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
}
