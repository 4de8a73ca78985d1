/** A file that cannot be used as a photo; the message tells the person why. */
export class PhotoRefused extends Error {}
