export interface NewCommit {
  readonly branch: string;
  /** Commit that it stands on; null for the first one of a repository. */
  readonly parent: string | null;
  readonly files: Readonly<Record<string, string>>;
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** Seconds since the epoch. */
  readonly time: number;
}
