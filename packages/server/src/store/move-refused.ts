import { AppError } from '../errors.ts';

export const moveRefused = (sentence: string) => new AppError('MOVE_REFUSED', sentence);
