import type { CallOptions } from './ports.ts';

/** Limits of one call. */
export interface FetchPictureOptions extends CallOptions {
  /** A longer answer is not read to its end. */
  readonly maxBytes: number;
}

/** Reads the pictures that people put into the texts of one thread. */
export interface PictureSource {
  /** Finds where the platform keeps what a text links, as an address of ASCII; null for a link elsewhere, which is never followed. */
  readonly locate: (link: string) => string | null;
  /**
   * Reads what is there, whatever it is: the caller looks at its bytes. The credential goes to the platform's own address alone, and
   * only its own hosts are asked, by redirects too.
   *
   * @throws PlatformError, or the signal's reason
   */
  readonly fetchPicture: (address: string, options: FetchPictureOptions) => Promise<Uint8Array>;
}
