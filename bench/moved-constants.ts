import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A number in a source file: a constant with a name, or one within a formula. */
export interface Constant {
  file: string;
  line: number;
  /** Where its text begins in the file. */
  at: number;
  text: string;
  isNamed: boolean;
  /** The name of a constant, or else the line it stands in. */
  label: string;
}

export const engineSource = fileURLToPath(new URL('../packages/engine/src', import.meta.url));

const notCode = /\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g;
const fraction = /(?<![\w.])\d[\d_]*(?:\.\d+(?:e-?\d+)?|e-\d+)(?!\w)/g;
const named = /^(?:export )?const (\w+) = (\d[\d_]*(?:\.\d+(?:e-?\d+)?|e-\d+)?)(?= \*|;)/gm;

/** The constants with a name and the fractions in formulas of a file. Whole numbers in formulas are mostly indices. */
export function constantsOf(file: string): Constant[] {
  const source = readFileSync(file, 'utf8');
  const code = source.replaceAll(notCode, (text) => text.replaceAll(/[^\n]/g, ' '));
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  const found = new Map<number, Constant>();
  for (const { index: at, 0: text } of code.matchAll(fraction)) {
    const line = lineOf(at);
    found.set(at, { file, line, at, text, isNamed: false, label: source.split('\n')[line - 1]!.trim() });
  }
  for (const { index, 0: whole, 1: name, 2: text } of code.matchAll(named)) {
    const at = index + whole.length - text!.length;
    found.set(at, { file, line: lineOf(at), at, text: text!, isNamed: true, label: name! });
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** A constant's value times a factor; a whole number stays one, and moves by 1 at least. */
export function moveNumber(text: string, factor: number): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isInteger(value) || text.includes('.')) return value * factor;
  const moved = Math.round(value * factor);
  return moved === value ? value + Math.sign(factor - 1) : moved;
}

interface Variant {
  constant: Constant;
  source: string;
  /** The files that have to be loaded anew: the constant's own, and whatever imports it. */
  affected: ReadonlySet<string>;
}

const variants: Variant[] = [];
const importsOf = new Map(
  globSync('**/*.ts', { cwd: engineSource }).map((name) => {
    const file = join(engineSource, name);
    const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g);
    return [file, [...specifiers].map(({ 1: specifier }) => resolve(dirname(file), specifier!))];
  }),
);

/**
 * Modules of the engine with one constant moved. Only what depends on the constant is loaded anew, so that everything
 * else stays compiled: `open` gives such a module, or null where the constant cannot change what it does.
 */
export function moveConstant(constant: Constant, factor: number) {
  const { file, at, text } = constant;
  const whole = readFileSync(file, 'utf8');
  const source = `${whole.slice(0, at)}${moveNumber(text, factor)}${whole.slice(at + text.length)}`;
  const affected = new Set([file]);
  for (let size = 0; size < affected.size; ) {
    size = affected.size;
    for (const [importer, imported] of importsOf)
      if (imported.some((one) => affected.has(one))) affected.add(importer);
  }
  const number = variants.push({ constant, source, affected }) - 1;
  return {
    async open<Module>(name: string): Promise<Module | null> {
      const path = join(engineSource, name);
      if (!affected.has(path)) return null;
      return (await import(`${pathToFileURL(path)}?variant=${number}`)) as Module;
    },
  };
}

const variantOf = (url: string | undefined) => /\?variant=(\d+)$/.exec(url ?? '')?.[1];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const number = variantOf(context.parentURL);
    if (number === undefined || !found.url.startsWith('file:')) return found;
    const isAffected = variants[Number(number)]!.affected.has(fileURLToPath(found.url));
    return isAffected ? { ...found, url: `${found.url}?variant=${number}` } : found;
  },
  load(url, context, nextLoad) {
    const number = variantOf(url);
    const variant = number === undefined ? null : variants[Number(number)]!;
    if (!variant || variant.constant.file !== fileURLToPath(url)) return nextLoad(url, context);
    return { format: 'module-typescript', source: variant.source, shortCircuit: true };
  },
});
