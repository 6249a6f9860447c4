import type { CallOptions } from './ports.ts';

/** Labels that a repository or project offers, whether or not a thread carries them. */
export interface RepositoryLabels {
  /**
   * Finds the labels that the repository at this path does not have, in the given order. Rejects with `not-found` if there is no
   * such repository.
   */
  readonly listMissing: (
    path: string,
    labels: readonly string[],
    options?: CallOptions,
  ) => Promise<readonly string[]>;
  /** Creates a label. Creating an existing label is not an error, and leaves it unchanged. */
  readonly create: (path: string, label: string, options?: CallOptions) => Promise<void>;
}
