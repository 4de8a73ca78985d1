/** As the file says it: a photo taken upright may be stored lying on its side. */
export interface Size {
  width: number;
  height: number;
}

/** What walking an image file finds, without decoding it. */
export interface Structure {
  size: Size;
  /** Where the image ends; a file may go on after it. */
  end: number;
}
