import { disarmFrames } from './disarm-frames.ts';
import type { Comment } from './model.ts';

export interface OddityRules {
  /** What a reader sees of a text. */
  readonly cleanText: (text: string) => string;
  /** Longest body shown whole. */
  readonly maxBodyChars: number;
}

/** What is odd about a comment, each in a sentence for the log. It is told of all the same. */
export function findOddities({ author, body }: Comment, rules: OddityRules): readonly string[] {
  const seen = rules.cleanText(body);
  const found: readonly (readonly [boolean, string])[] = [
    [author === null, 'the account that wrote a comment is gone'],
    [disarmFrames(seen) !== seen, 'a comment imitates the headings of new comments; they are quoted'],
    [seen.length > rules.maxBodyChars, 'a comment is very long; its beginning is told'],
    [seen.trim() === '', 'a comment has no visible text'],
  ];
  return found.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}
