import type { RequestComment } from '../pre-planning-request.ts';
import { fitWrapped, type WrappedFit } from './fit-wrapped.ts';

/** Comments as a prompt shows them, oldest first, and how many older ones it does not show. */
export interface FittedComments {
  readonly shown: readonly string[];
  readonly omitted: number;
}

/** The newest comments that fit, with what encloses each; a long one is cut to half of the room. */
export function fitComments(
  comments: readonly RequestComment[],
  { maxChars, wrap }: WrappedFit,
): FittedComments {
  const newestFirst: string[] = [];
  let left = maxChars;
  for (let index = comments.length - 1; index >= 0; index -= 1) {
    const comment = comments[index];
    if (comment === undefined) break;
    const { author, createdAt, body, isTrusted } = comment;
    const source = { what: `comment of ${createdAt}`, author, isTrusted };
    const shown = fitWrapped(body, source, { maxChars: Math.floor(maxChars / 2), wrap });
    if (shown === null || shown.length > left) break;
    newestFirst.push(shown);
    left -= shown.length + 2;
  }
  return { shown: newestFirst.reverse(), omitted: comments.length - newestFirst.length };
}
