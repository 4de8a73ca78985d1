/** A scene that an account made of a backdrop. */
export interface SceneRow {
  id: string;
  account_id: string;
  /** JSON: how people stand in it, and what was found in the backdrop. */
  settings: string;
  found: string;
  /** JSON list of sentences. */
  warnings: string;
  /** Of the backdrop. */
  width: number;
  height: number;
  /** Blob keys of the backdrop, its thumbnail, the mask of the foreground and the archive that engines get. */
  backdrop: string;
  thumbnail: string;
  mask: string | null;
  files: string;
  /** Counts its changes, from 1. */
  version: number;
  created_at: number;
  updated_at: number;
}
