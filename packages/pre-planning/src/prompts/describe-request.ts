import type { PrePlanningRequest, RequestComment } from '../pre-planning-request.ts';
import { fitStart } from './fit-start.ts';
import { madeBy, type PromptOptions } from './prompt-options.ts';

/** The task for a prompt: issue, labels, comments and the past. The newest comments win where room is short. */
export function describeRequest(request: PrePlanningRequest, { maxChars, wrap }: PromptOptions): string {
  const { title, body, labels, history, author, isTrusted } = request;
  const half = Math.floor(maxChars / 2);
  const quarter = Math.floor(maxChars / 4);
  const { shown, omitted } = takeNewest(request.comments, quarter);
  const wrapOwn = (text: string, what: string) => wrap(text, { what, author, isTrusted });
  return [
    `## Task
Title: ${wrapOwn(fitStart(title, 500), 'title')}
Labels: ${labels.length === 0 ? 'none' : wrap(fitStart(labels.join(', '), 1_000), madeBy('labels'))}
${wrapOwn(fitStart(body.trim() === '' ? '(empty)' : body, half), 'description')}`,
    `## Comments, oldest first${omitted > 0 ? ` (${omitted} older ones are left out)` : ''}`,
    ...(shown.length === 0
      ? ['none']
      : shown.map((comment) => describeComment(comment, { wrap, maxChars: quarter }))),
    `## Earlier runs on this thread\n${history === null ? 'none' : wrap(fitStart(history, quarter), madeBy('earlier runs'))}`,
  ].join('\n\n');
}

function describeComment(
  { author, createdAt, body, isTrusted }: RequestComment,
  { wrap, maxChars }: Pick<PromptOptions, 'wrap' | 'maxChars'>,
): string {
  return wrap(fitStart(body, maxChars), { what: `comment of ${createdAt}`, author, isTrusted });
}

function takeNewest(comments: readonly RequestComment[], maxChars: number) {
  const shown: RequestComment[] = [];
  let left = maxChars;
  for (const comment of comments.toReversed()) {
    left -= comment.body.length;
    if (left < 0 && shown.length > 0) break;
    shown.unshift(comment);
  }
  return { shown, omitted: comments.length - shown.length };
}
