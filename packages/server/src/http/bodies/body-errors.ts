import { AppError } from '../../errors.ts';

/** The text is not JSON, or is nested too deeply. */
export class InvalidJson extends Error {}

export const payloadTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The request is larger than this endpoint takes.');
