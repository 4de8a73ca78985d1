import type { Field, NamedShape, Shape } from './document-shapes.ts';

/** The shapes as declarations. */
export function typescriptTypes(shapes: readonly NamedShape[]): string {
  return `${shapes.map(declarationOf).join('\n\n')}\n`;
}

function declarationOf({ name, shape }: NamedShape): string {
  return shape.kind === 'object'
    ? `export interface ${name} ${objectOf(shape.fields, '')}`
    : `export type ${name} = ${typeOf(shape, '')};`;
}

function typeOf(shape: Shape, indent: string): string {
  switch (shape.kind) {
    case 'integer':
      return 'number';
    case 'literals':
      return shape.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'array':
      return `Array<${typeOf(shape.items, indent)}>`;
    case 'record':
      return `Record<string, ${typeOf(shape.values, indent)}>`;
    case 'union':
      return [...new Set(shape.options.map((option) => typeOf(option, indent)))].join(' | ');
    case 'object':
      return objectOf(shape.fields, indent);
    case 'reference':
      return shape.name;
    default:
      return shape.kind;
  }
}

function objectOf(fields: readonly Field[], indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, shape, optional, description }) => {
    const comment = description === undefined ? '' : `${inner}/** ${description} */\n`;
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${comment}${inner}${key}${optional ? '?' : ''}: ${typeOf(shape, inner)}${optional ? ' | undefined' : ''};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
