import { z } from 'zod';
import { type C2paLibrary, readingSettings } from './c2pa-library.ts';

/** What a file's C2PA manifest says, and whether it is true of the file. */
export interface ProvenanceReport {
  /** `altered`: the file is not what was signed. `invalid`: the signature or the certificate cannot be accepted. */
  state: 'valid' | 'altered' | 'invalid' | 'absent';
  /** Null where nothing can be read. Anybody can make a certificate with any name: see `known`. */
  signer: { name: string; issuer: string; serial: string } | null;
  /** Whether the certificate is one of those that were given as known, or issued by one of them. */
  known: boolean;
  software: string | null;
  actions: { action: string; when: string | null; digitalSourceType: string | null }[];
  /** Why the state is not `valid`, in C2PA's codes. */
  problems: string[];
}

const Action = z.object({
  action: z.string(),
  when: z.string().optional(),
  digitalSourceType: z.string().optional(),
});
const Manifest = z.object({
  claim_generator_info: z.array(z.object({ name: z.string(), version: z.string().optional() })).default([]),
  assertions: z.array(z.object({ label: z.string(), data: z.unknown() })).default([]),
  signature_info: z
    .object({
      issuer: z.string().default(''),
      common_name: z.string().default(''),
      cert_serial_number: z.string().default(''),
    })
    .optional(),
});
const ManifestStore = z.object({
  active_manifest: z.string().optional(),
  manifests: z.record(z.string(), Manifest),
  validation_status: z.array(z.object({ code: z.string(), explanation: z.string().optional() })).default([]),
  validation_state: z.enum(['Invalid', 'Valid', 'Trusted']),
});
type ManifestStore = z.infer<typeof ManifestStore>;

const nothing = { signer: null, known: false, software: null, actions: [] };
/** The library's words for a file without a manifest of its own. */
const absent = /JumbfNotFound|RemoteManifest|ProvenanceMissing/;
/** C2PA's codes for what does not fit the hashes that were signed, or the signature. */
const mismatch = /\.mismatch$|\.missing$/;
const unknownSigner = 'signingCredential.untrusted';

/** Reads and checks a file. `trusted` are certificates in PEM that count as known. Nothing is fetched. */
export async function readProvenance(
  library: C2paLibrary,
  type: string,
  bytes: Uint8Array,
  trusted?: string,
): Promise<ProvenanceReport> {
  let text: string;
  try {
    const reader = await library.WasmReader.fromBytes(type, bytes, readingSettings(trusted));
    text = reader.json();
    reader.free();
  } catch (error) {
    const problem = String(error);
    if (absent.test(problem)) return { ...nothing, state: 'absent', problems: [] };
    return { ...nothing, state: 'altered', problems: [problem] };
  }
  return reportOf(ManifestStore.parse(JSON.parse(text)));
}

function reportOf(store: ManifestStore): ProvenanceReport {
  const manifest = store.manifests[store.active_manifest ?? ''];
  const failures = store.validation_status.filter(({ code }) => code !== unknownSigner);
  const problems = failures.map(({ code, explanation }) => (explanation ? `${code}: ${explanation}` : code));
  const invalid = failures.some(({ code }) => mismatch.test(code)) ? 'altered' : 'invalid';
  const [generator] = manifest?.claim_generator_info ?? [];
  const signature = manifest?.signature_info;
  return {
    state: store.validation_state === 'Invalid' ? invalid : 'valid',
    signer: signature
      ? { name: signature.common_name, issuer: signature.issuer, serial: signature.cert_serial_number }
      : null,
    known: store.validation_state === 'Trusted',
    software: generator ? [generator.name, generator.version].join(' ').trim() : null,
    actions: (manifest?.assertions ?? []).flatMap(actionsIn),
    problems: store.validation_state === 'Invalid' ? problems : [],
  };
}

function actionsIn({ label, data }: { label: string; data: unknown }): ProvenanceReport['actions'] {
  if (!label.startsWith('c2pa.actions')) return [];
  // Other programs' manifests may have actions of other shapes.
  const parsed = z.object({ actions: z.array(Action) }).safeParse(data);
  return (parsed.data?.actions ?? []).map(({ action, when = null, digitalSourceType = null }) => ({
    action,
    when,
    digitalSourceType,
  }));
}
