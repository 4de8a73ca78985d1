import { GuiseError } from '@guise/client/guise-error.ts';
import { AppError } from '../errors.ts';

/** What a tool answers: data as JSON text, and pictures that a model can see. */
export interface ToolResult {
  content: ({ type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string })[];
  isError?: boolean;
  [key: string]: unknown;
}

export function dataResult(data: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data, null, 2) }] };
}

/** Tells the model what the server refused, with the code: it may ask its user, or try another way. */
export async function withToolErrors(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GuiseError) && !(error instanceof AppError)) throw error;
    const text = `${error.code}: ${error.message}`;
    return { content: [{ type: 'text', text }], isError: true };
  }
}
