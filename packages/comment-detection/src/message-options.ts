import type { Authority, Comment } from './model.ts';

/** What is known beside a comment when its body is prepared for the model. */
export interface BodyContext {
  readonly authority: Authority;
}

/** Options of the messages that bring comments to a model. */
export interface CommentMessageOptions {
  /** What the model gets of a comment, e.g. in an envelope. Default: its body. */
  readonly prepareBody?: ((comment: Comment, context: BodyContext) => string) | undefined;
  /** Who may steer; what others write is marked as information. Default: everyone. */
  readonly authorityOf?: ((comment: Comment) => Authority) | undefined;
  /** Bodies beyond it are cut, and say so. Default 65,536, the longest comment that GitHub takes. */
  readonly maxBodyChars?: number | undefined;
}
