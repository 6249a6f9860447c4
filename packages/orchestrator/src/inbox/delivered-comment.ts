import type { CommentCommand } from './parse-command.ts';

/** What became of a command that a comment gave. */
export interface HandledCommand {
  readonly name: CommentCommand | 'reject';
  /** `refused`: its author may not steer. `unknown`: it rejects an assumption that there is not. */
  readonly outcome: 'obeyed' | 'refused' | 'unknown';
}

/** A comment that came while a run was under way, as its final report names it. */
export interface DeliveredComment {
  readonly kind: 'added' | 'edited' | 'deleted';
  /** Null when the account was deleted. */
  readonly author: string | null;
  readonly createdAt: string;
  /** Null where the platform gave none, or this process never listed it. */
  readonly url: string | null;
  /** Null where it gave none, or an earlier process heard it. */
  readonly command: HandledCommand | null;
  /** Whether the model was told of it. */
  readonly delivered: boolean;
}
