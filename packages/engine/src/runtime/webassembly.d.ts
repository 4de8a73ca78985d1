/** What the engine uses of WebAssembly. Node's types leave it out, and those of browsers bring a whole page with them. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number; maximum: number; shared: true });
    /** Another object after the memory has grown. Views of earlier ones stay valid. */
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: Uint8Array);
    static customSections(module: Module, name: string): ArrayBuffer[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: object;
  }
}
