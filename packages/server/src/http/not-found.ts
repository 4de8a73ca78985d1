import { AppError } from '../errors.ts';

export const notFound = () => new AppError('NOT_FOUND', 'There is nothing at this path.');
