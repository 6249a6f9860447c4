import type { PrePlanningRequest, RequestComment } from '../ports.ts';
import {
  fitStart,
  fitWrapped,
  madeBy,
  type PromptOptions,
  type TextSource,
  type WrappedFit,
} from './prompt-options.ts';

const leftOut = '(left out: there is no room for it)';

/** Room for headings and for the marks of what is left out. */
const headingChars = 220;

/**
 * The task for a prompt: issue, labels, comments and the past. What is written takes at most `maxChars`, with what
 * encloses it. The body and the newest comments matter most where room is short.
 */
export function describeRequest(request: PrePlanningRequest, { maxChars, wrap }: PromptOptions): string {
  const { title, body, labels, history, author, isTrusted, comments } = request;
  const own = (what: string): TextSource => ({ what, author, isTrusted });
  let left = maxChars - headingChars;
  const take = (text: string, source: TextSource, share: number): string => {
    const taken = fitWrapped(text, source, { maxChars: Math.floor(left * share), wrap }) ?? leftOut;
    left -= taken.length;
    return taken;
  };
  const description = take(body.trim() === '' ? '(empty)' : body, own('description'), 1 / 2);
  const named = take(fitStart(title, Math.min(500, Math.floor(maxChars / 8))), own('title'), 1);
  const marked = labels.length === 0 ? 'labels: none' : take(joinLabels(labels), madeBy('labels'), 1 / 4);
  const past = history === null ? 'none' : take(history, madeBy('earlier runs'), 1 / 4);
  const { shown, omitted } = fitComments(comments, { maxChars: left, wrap });
  return [
    `## Task\n${named}\n${marked}\n${description}`,
    `## Comments, oldest first${omitted > 0 ? ` (${omitted} older ones are left out)` : ''}`,
    ...(shown.length === 0 ? ['none'] : shown),
    `## Earlier runs on this thread\n${past}`,
  ].join('\n\n');
}

function joinLabels(labels: readonly string[]): string {
  return fitStart(labels.join(', '), 1_000);
}

/** Comments as a prompt shows them, oldest first, and how many older ones it does not show. */
interface FittedComments {
  readonly shown: readonly string[];
  readonly omitted: number;
}

/** The newest comments that fit, with what encloses each; a long one is cut to half of the room. */
function fitComments(comments: readonly RequestComment[], { maxChars, wrap }: WrappedFit): FittedComments {
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
