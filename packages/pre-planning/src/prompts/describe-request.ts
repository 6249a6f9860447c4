import type { PrePlanningRequest } from '../pre-planning-request.ts';
import { fitComments } from './fit-comments.ts';
import { fitStart } from './fit-start.ts';
import { fitWrapped } from './fit-wrapped.ts';
import { madeBy, type PromptOptions, type TextSource } from './prompt-options.ts';

const leftOut = '(left out: there is no room for it)';

/** Of what is written by no person: headings, and what stands for what is not there. */
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
