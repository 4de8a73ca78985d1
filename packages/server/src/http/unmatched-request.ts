import { AppError } from '../errors.ts';
import { notFound } from './not-found.ts';
import type { Route } from './route.ts';

/** Longer path parameters match no route. */
export const maxParamLength = 500;

const methods = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];

const methodNotAllowed = (allowed: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')} only.`, {
    headers: { allow: allowed.join(', ') },
  });

/** Why no route matches a URL: there is none at its path, or those there are have other methods. */
export function unmatchedErrors(rows: readonly Route[]): (url: string) => AppError {
  const patterns = rows.map((row) => ({ row, pattern: patternOf(row.path) }));
  return (url) => {
    const path = decodePath(url);
    const found = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).map(({ row }) => row.method as string),
    );
    if (found.has('GET')) found.add('HEAD');
    return found.size > 0 ? methodNotAllowed(methods.filter((method) => found.has(method))) : notFound();
  };
}

function patternOf(path: string): RegExp {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll(/\{\w+\}/g, `[^/]{1,${maxParamLength}}`)
    .replace('*', '.+');
  return new RegExp(`^${pattern}/?$`);
}

function decodePath(url: string): string {
  const path = url.split('?', 1)[0]!;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
