import type { PrePlanningRequest } from '../pre-planning-request.ts';
import { fitComments } from './fit-comments.ts';
import { fitStart } from './fit-start.ts';
import { fitWrapped } from './fit-wrapped.ts';
import { madeBy, type PromptOptions, type TextSource } from './prompt-options.ts';

const leftOut = '(left out: there is no room for it)';

/**
 * The task for a prompt: issue, labels, comments and the past. What is written takes at most `maxChars`, with what
 * encloses it. The body and the newest comments matter most where room is short.
 */
export function describeRequest(request: PrePlanningRequest, { maxChars, wrap }: PromptOptions): string {
  const { title, body, labels, history, author, isTrusted, comments } = request;
  const own = (what: string): TextSource => ({ what, author, isTrusted });
  const fit = (text: string, source: TextSource, room: number) =>
    fitWrapped(text, source, { maxChars: Math.floor(room), wrap }) ?? leftOut;
  const names = fitStart(labels.join(', '), Math.min(1_000, Math.floor(maxChars / 16)));
  const head = [
    '## Task',
    wrap(fitStart(title, Math.min(500, Math.floor(maxChars / 8))), own('title')),
    names === '' ? 'labels: none' : wrap(names, madeBy('labels')),
  ].join('\n');
  const headings = '## Comments, oldest first\n\n## Earlier runs on this thread\n'.length + 50;
  const left = maxChars - head.length - headings;
  const description = fit(body.trim() === '' ? '(empty)' : body, own('description'), left / 2);
  const past = history === null ? 'none' : fit(history, madeBy('earlier runs'), left / 4);
  const room = left - description.length - past.length;
  const { shown, omitted } = fitComments(comments, { maxChars: room, wrap });
  return [
    `${head}\n${description}`,
    `## Comments, oldest first${omitted > 0 ? ` (${omitted} older ones are left out)` : ''}`,
    ...(shown.length === 0 ? ['none'] : shown),
    `## Earlier runs on this thread\n${past}`,
  ].join('\n\n');
}
