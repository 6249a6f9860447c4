/** Kinds of effect that no text of an attacker may have. */
export type EffectKind =
  | 'secret out'
  | 'live link or picture'
  | 'live command'
  | 'push to a protected branch'
  | 'push of a protected path'
  | 'forbidden request'
  | 'other repository'
  | 'network'
  | 'execution outside the sandbox'
  | 'changed state';

/** One forbidden effect, and where it was found. */
export interface Effect {
  readonly kind: EffectKind;
  readonly where: string;
}

/** A text that the daemon published, with its place. */
export interface Published {
  readonly where: string;
  readonly text: string;
  /** False for texts that are no Markdown, such as titles and commits. */
  readonly isMarkdown: boolean;
}
