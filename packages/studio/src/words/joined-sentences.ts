type Table = Readonly<Record<string, string>>;

/** Every frame with every part in the place of its asterisk, as the server puts sentences together. */
export const joinedSentences = (frames: Table, parts: Table): Table =>
  Object.fromEntries(
    Object.entries(frames).flatMap(([frame, frameTranslated]) =>
      Object.entries(parts).map(([part, partTranslated]) => [
        frame.replace('*', () => part),
        frameTranslated.replace('*', () => partTranslated),
      ]),
    ),
  );
