import type { CallOptions } from './ports.ts';

/** A repository or project, as a listing of its owner shows it. */
export interface FoundRepository {
  /** Stays the same when it is renamed. */
  readonly id: string;
  /** `owner/repo`, `group/subgroup/project`, as it is spelled. */
  readonly path: string;
  readonly isFork: boolean;
  /** False for one that takes no work: archived, disabled, or about to be deleted. */
  readonly isActive: boolean;
}

/** Owner whose repositories are asked for. */
export interface RepositoryQuery extends CallOptions {
  /** Login, organization, group or subgroup (`group/subgroup`), whatever its case. */
  readonly owner: string;
  /** True for those of groups below it, too. A platform without such groups ignores it. */
  readonly subgroups: boolean;
  /** True to see at once what the credential was just given, whatever that costs. Default false. */
  readonly fresh?: boolean | undefined;
}

/** Finds repositories by whose they are. */
export interface RepositoryFinder {
  /**
   * Lists all repositories of one owner that the credential shows, and nobody else's: whole, or not at all. Rejects with
   * `not-found` where there is no such owner.
   */
  readonly listRepositories: (query: RepositoryQuery) => Promise<readonly FoundRepository[]>;
}
