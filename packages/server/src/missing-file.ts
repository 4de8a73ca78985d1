/** For the error of reading or moving a file or folder: a value where that is not there. Any other error is thrown. */
export const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
