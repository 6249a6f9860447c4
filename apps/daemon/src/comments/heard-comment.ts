/** A comment that came while a run was under way, as its final report names it. */
export interface HeardComment {
  readonly kind: 'added' | 'edited' | 'deleted';
  /** Null when the account was deleted. */
  readonly author: string | null;
  readonly createdAt: string;
  /** Whether the model was told of it. */
  readonly delivered: boolean;
}
