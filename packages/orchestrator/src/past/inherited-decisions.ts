import type { InheritedDecision, toDecisionLine } from '@agent/context-inheritance';
import type { FactEvent } from '@agent/run-store';
import { z } from 'zod';

/** Name of the fact that has the decisions that a run inherited, as they were when it began. */
export const inheritedDecisionsName = 'inherited-decisions';

/** Formats the fact; null without decisions. The library is loaded only for a run that inherits some. */
export async function toInheritedDecisionsFact(
  decisions: readonly InheritedDecision[],
): Promise<FactEvent | null> {
  if (decisions.length === 0) return null;
  const library = await import('@agent/context-inheritance');
  const toJson = toDecisionJson(library.toDecisionLine);
  return { type: 'fact', name: inheritedDecisionsName, data: { decisions: decisions.map(toJson) } };
}

function toDecisionJson(toLine: typeof toDecisionLine) {
  return ({ state, runUuid, decidedAt, ...decision }: InheritedDecision) => {
    const origin = { runUuid, decidedAt };
    return { ...toLine({ ...decision, origin }), state: state.kind, state_detail: toDetail(state) };
  };
}

/** The text of the successor, or the path that changed. */
function toDetail(state: InheritedDecision['state']): string | null {
  if (state.kind === 'replaced') return state.by.text;
  return state.kind === 'stale' ? state.path : null;
}

const factSchema = z.object({
  decisions: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      source: z.enum(['comment', 'thread', 'agent']),
      source_comment_id: z.string().nullable(),
      trusted: z.boolean(),
      decided_at: z.string().nullable(),
      state: z.enum(['open', 'replaced', 'stale']),
      state_detail: z.string().nullable(),
    }),
  ),
});

/** A decision that a run inherited, as its record has it. */
export type RecordedDecision = z.output<typeof factSchema>['decisions'][number];

/** One line: state, text, source. The states are words of the record. */
export function formatRecordedDecision({
  text,
  state,
  state_detail: detail,
  source,
  source_comment_id: id,
  trusted,
}: RecordedDecision): string {
  const origin = source === 'comment' ? `comment ${id}` : source;
  const marks = [origin, ...(trusted ? [] : ['information']), ...(detail === null ? [] : [detail])];
  return `${state}: ${text} (${marks.join('; ')})`;
}

/** Reads the fact; empty for one of another form. */
export function parseInheritedDecisions(data: unknown): readonly RecordedDecision[] {
  return factSchema.safeParse(data).data?.decisions ?? [];
}
