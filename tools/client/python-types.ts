import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentShapes, type Field, type NamedShape, type Shape } from './document-shapes.ts';

const packageFolder = join(import.meta.dirname, '../../clients/python/src/guise');

/** The file of types of the Python client: those that its code names, and `ErrorCode`. */
export function writePythonTypes(): string {
  const sources = globSync('_async/*.py', { cwd: packageFolder }).map((file) =>
    readFileSync(join(packageFolder, file), 'utf8'),
  );
  const named = sources.flatMap((text) =>
    [...text.matchAll(/\btypes\.([A-Z]\w+)/g)].map(([, name]) => name!),
  );
  return pythonTypes(documentShapes(new Set([...named, 'ErrorCode'])));
}

/**
 * The shapes as Python types for 3.9, which has neither `|` between types nor `NotRequired`: optional fields are in a
 * class of their own.
 */
function pythonTypes(shapes: readonly NamedShape[]): string {
  const declarations = shapes.map(({ name, shape }) =>
    shape.kind === 'object' ? classesOf(name, shape.fields) : aliasOf(name, shape),
  );
  return `"""The shapes of the interface. Made from the OpenAPI document by \`npm run docs\`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${inOrder(shapes, declarations).join('\n\n')}`;
}

/** Aliases are evaluated when the module is read, so they come after the classes that they name. */
function inOrder(shapes: readonly NamedShape[], declarations: readonly string[]): string[] {
  const isClass = (index: number) => shapes[index]!.shape.kind === 'object';
  const literals = declarations.filter((_, index) => shapes[index]!.shape.kind === 'literals');
  const classes = declarations.filter((_, index) => isClass(index));
  const others = declarations.filter(
    (_, index) => !isClass(index) && shapes[index]!.shape.kind !== 'literals',
  );
  return [literals.join(''), ...classes, ...others].filter((text) => text !== '');
}

function classesOf(name: string, fields: readonly Field[]): string {
  const inner = nestedClasses(name, fields);
  const required = fields.filter(({ optional }) => !optional);
  const optional = fields.filter((field) => field.optional);
  const lines = (some: readonly Field[]) =>
    some.map((field) => `    ${field.name}: ${fieldType(name, field)}\n${comment(field)}`).join('') ||
    '    pass\n';
  if (optional.length === 0) return `${inner}class ${name}(TypedDict):\n${lines(required)}`;
  if (required.length === 0) return `${inner}class ${name}(TypedDict, total=False):\n${lines(optional)}`;
  return `${inner}class _${name}Required(TypedDict):\n${lines(required)}\n
class ${name}(_${name}Required, total=False):\n${lines(optional)}`;
}

const comment = ({ description }: Field) =>
  description === undefined ? '' : `    """${description.replaceAll('"', "'")}"""\n`;

/** A name for something that is not an object: a list of words, or one of several shapes. */
function aliasOf(name: string, shape: Shape): string {
  const nested = nestedNameOf(`${name}Fields`, shape);
  const classes = objectsIn(shape).map(({ fields }) => (nested ? `${classesOf(nested, fields)}\n\n` : ''));
  return `${classes.join('')}${name} = ${typeOf(shape, nested)}\n`;
}

/** Objects within an object have a class of their own, named after the field. */
function nestedClasses(name: string, fields: readonly Field[]): string {
  return fields
    .map((field) => ({
      nested: nestedNameOf(fieldName(name, field), field.shape),
      objects: objectsIn(field.shape),
    }))
    .flatMap(({ nested, objects }) => (nested ? [`${classesOf(nested, objects[0]!.fields)}\n\n`] : []))
    .join('');
}

type ObjectShape = Extract<Shape, { kind: 'object' }>;

/** The different objects that a shape holds, without those that have names. */
function objectsIn(shape: Shape): ObjectShape[] {
  if (shape.kind === 'object') return [shape];
  if (shape.kind === 'array') return objectsIn(shape.items);
  if (shape.kind === 'record') return objectsIn(shape.values);
  if (shape.kind !== 'union') return [];
  const found = shape.options.flatMap(objectsIn);
  return [...new Map(found.map((object) => [JSON.stringify(object), object])).values()];
}

/** One object takes the name. Several have none for each: they are written as dictionaries. */
const nestedNameOf = (name: string, shape: Shape) => (objectsIn(shape).length === 1 ? name : undefined);

const fieldName = (name: string, { name: field }: Field) =>
  `${name}${field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const fieldType = (name: string, field: Field) =>
  typeOf(field.shape, nestedNameOf(fieldName(name, field), field.shape));

function typeOf(shape: Shape, nested: string | undefined): string {
  switch (shape.kind) {
    case 'string':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'unknown':
      return 'Any';
    case 'literals':
      return `Literal[${shape.values.map(pythonLiteral).join(', ')}]`;
    case 'array':
      return `List[${typeOf(shape.items, nested)}]`;
    case 'record':
      return `Dict[str, ${typeOf(shape.values, nested)}]`;
    case 'reference':
      return shape.name;
    case 'object':
      return nested ?? 'Dict[str, Any]';
    case 'union':
      return unionOf(shape.options, nested);
  }
}

function unionOf(options: readonly Shape[], nested: string | undefined): string {
  const types = [...new Set(options.map((option) => typeOf(option, nested)))];
  const some = types.filter((type) => type !== 'None');
  const joined = some.length === 1 ? some[0]! : `Union[${some.join(', ')}]`;
  return some.length < types.length ? `Optional[${joined}]` : joined;
}

function pythonLiteral(value: string | number | boolean | null): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
