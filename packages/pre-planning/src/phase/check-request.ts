import type { AnswerSource } from '../answers/answer-source.ts';
import type { ReadOnlyTools } from '../ports.ts';
import { isMissing } from '../pre-planning-error.ts';
import type { PrePlanningRequest } from '../pre-planning-request.ts';

/** @throws PrePlanningError `invalid-input`, by the name of what a manager cannot do without */
export function checkParts(parts: { readonly source: AnswerSource; readonly tools: ReadOnlyTools }): void {
  if (typeof parts?.source?.ask !== 'function') throw isMissing('source', 'what createAnswerLadder makes');
  if (typeof parts.tools !== 'object' || parts.tools === null)
    throw isMissing('tools', 'what createReadOnlyTools makes');
}

/** @throws PrePlanningError `invalid-input`, by the name of the field */
export function checkRequest(request: PrePlanningRequest): void {
  for (const name of ['title', 'body'] as const)
    if (typeof request?.[name] !== 'string') throw isMissing(`request.${name}`, 'a text, perhaps empty');
  for (const name of ['labels', 'comments'] as const)
    if (!Array.isArray(request[name])) throw isMissing(`request.${name}`, 'a list, perhaps empty');
}
