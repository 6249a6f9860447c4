import type { PlannedAction } from '../model.ts';
import { formatForm, formatLanguage, formatNotes, joinParagraphs, type RequestParts } from './parts.ts';

interface ActionRequest extends RequestParts {
  readonly action: PlannedAction;
  /** From 1. */
  readonly attempt: number;
}

/** Asks for one action: a first attempt as it was planned, a later one with its fallback strategy. @see seed 002 §13.5.1 */
export function formatActionRequest({ action, attempt, ...parts }: ActionRequest): string {
  const { task_id: id, tool, parameters, purpose, expected_outcome: outcome, fallback_strategy } = action;
  const fallback = fallback_strategy ?? 'another way to the same outcome';
  return joinParagraphs([
    attempt === 1
      ? `Carry out the action ${id}, and nothing beyond it.`
      : `The action ${id} has failed. Carry it out once more, in another way: ${fallback}`,
    [
      `Purpose: ${purpose}`,
      `Tool: ${tool}, with ${JSON.stringify(parameters)} as planned; call others too where it takes them`,
      `Expected outcome: ${outcome}`,
      ...(attempt === 1 && fallback_strategy !== null ? [`If it fails: ${fallback_strategy}`] : []),
    ].join('\n'),
    parts.history ?? '',
    formatNotes(parts.notes),
    `Call the tools now. When the outcome is met, or cannot be, end the action. ${formatLanguage(parts.language)}`,
    formatForm(executionForm(id)),
  ]);
}

/** Asks for the end of an action again, in the form that it needs. */
export function formatActionEndRequest(
  { task_id: id }: Pick<PlannedAction, 'task_id'>,
  reasons: readonly string[],
): string {
  return joinParagraphs([
    reasons.join('\n'),
    `Say whether the expected outcome of ${id} is met. ${formatForm(executionForm(id))}`,
  ]);
}

function executionForm(id: string): string {
  return `{ "phase": "execution", "current_task": ${JSON.stringify(id)}, "expected_outcome_met": false, "evidence": "…", "comment": "…" }
expected_outcome_met is true only where you saw that it is met; evidence: what shows it, such as an exit code.`;
}
