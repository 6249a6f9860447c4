/** Something that a webhook of GitHub's tells of. `repo` is `owner/name`. */
export type SimulatedHappening = { readonly repo: string } & (
  | { readonly event: 'ping' }
  | {
      readonly event: 'issue_comment';
      readonly action: 'created' | 'edited' | 'deleted';
      /** A comment that is there: compose what tells of its deletion before it is deleted. */
      readonly commentId: number;
    }
  | {
      readonly event: 'issues' | 'pull_request';
      readonly action: 'opened' | 'labeled' | 'unlabeled' | 'edited' | 'closed' | 'reopened';
      readonly number: number;
      /** The one that was put on or taken off. */
      readonly label?: string;
    }
);
