/** As the file states it: the photo of an upright camera may be stored lying on its side. */
export interface Size {
  width: number;
  height: number;
}

/** What is known of an image file whose structure was validated without decoding it. */
export interface ValidatedImage {
  size: Size;
  /** The offset after the image's last byte; a file may go on after it. */
  end: number;
}
