/** An account of the simulated GitHub, and what it reacts with. */

export type ReactionContent = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';

export type TokenLevel = 'none' | 'read' | 'write';
export type TokenScope =
  | 'issues'
  | 'pull_requests'
  | 'contents'
  | 'checks'
  | 'statuses'
  | 'actions'
  | 'workflows';
export type TokenPermissions = Readonly<Record<TokenScope, TokenLevel>>;

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  readonly type: 'User' | 'Bot' | 'Organization';
  readonly createdAt: string;
  /** Form in which a deleted account shows where it was the author; null while it lives. */
  deletedAs: 'ghost' | 'null' | null;
}

export interface Reaction {
  readonly id: number;
  readonly user: User;
  readonly content: ReactionContent;
  readonly createdAt: string;
}
