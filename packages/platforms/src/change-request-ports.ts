import type { CallOptions } from './call-options.ts';
import type { Account, Branch, BranchUse, ChangeRequest } from './model.ts';

/** The change request that should be there. */
export interface ChangeRequestDraft {
  readonly headBranch: string;
  readonly baseBranch: string;
  /** For one that is opened; the title of an open one is for people to change. */
  readonly title: string;
  readonly body: string;
  /** Joins our body to the current one, which is null where the request is opened. The same body leaves it as it is. */
  readonly joinBody: (current: string | null, body: string) => string;
}

/** Request for a review of the change request with this number. */
export interface ReviewRequest {
  readonly number: number;
  readonly account: Account;
}

/** Branches of the repository, and the pull or merge requests made from them. */
export interface ChangeRequests {
  /** Branches whose name begins with the prefix, sorted by name. */
  readonly listBranches: (options: { readonly prefix: string } & CallOptions) => Promise<readonly Branch[]>;
  /** The newest change request from this head branch, whatever its state; null when there is none. */
  readonly findChangeRequest: (
    options: { readonly headBranch: string } & CallOptions,
  ) => Promise<ChangeRequest | null>;
  /**
   * Tells what a branch is used for: nothing if it does not exist. Optional for adapters: without it only the default
   * branch is known not to be pushed to.
   */
  readonly describeBranch?:
    | ((options: { readonly branch: string } & CallOptions) => Promise<BranchUse>)
    | undefined;
  /** Opens a draft, or brings the body of the open one from this head up to date. Repeating it is safe. */
  readonly ensureDraft: (draft: ChangeRequestDraft & CallOptions) => Promise<ChangeRequest>;
  /** Requests a review from an account; other reviewers stay. Repeating it is safe. Optional: without it no review is requested. */
  readonly requestReview?: ((of: ReviewRequest & CallOptions) => Promise<void>) | undefined;
}
