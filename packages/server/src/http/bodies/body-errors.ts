import { AppError } from '../../errors.ts';

/** The bytes are not what the endpoint reads. */
export class InvalidBody extends Error {}

/** The text is not JSON, or is nested too deeply. */
export class InvalidJson extends InvalidBody {}

/** The bytes are no form with files. */
export class InvalidForm extends InvalidBody {}

export const payloadTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The request is larger than this endpoint takes.');
