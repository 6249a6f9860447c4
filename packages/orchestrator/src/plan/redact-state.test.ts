import { createReadOnlyTools, PrePlanningManager, readPrePlanningState } from '@agent/pre-planning';
import { createSecretFilters } from '@agent/text/outgoing';
import { expect, it } from 'vitest';
import { redactState } from './pre-planning-files.ts';

const source = { ask: () => Promise.reject(new Error('nothing is asked here')) };
const begun = new PrePlanningManager({ source, tools: createReadOnlyTools({}) }).getState();

it('has no secret on disk, and is still read there: ids, and the words of the form, hold [NX-4, PP-57]', () => {
  const secrets = ['plum-orchard', 'failed'];
  const need = (id: string) => ({
    id,
    category: 'codebase' as const,
    description: `What lies at ${id}`,
    purpose: '',
    collection_method: { tool: 'read_file', parameters: { path: `src/plum-orchard/${id}` } },
    fallback_strategy: '',
    can_assume: true,
    default_assumption: null,
  });
  const state = {
    ...begun,
    collection_plan: {
      required_information: [need('total'), need('plum-orchard')],
      collection_order: ['plum-orchard', 'total'],
      skip_collection: false,
      skip_reason: '',
    },
    collection_results: [
      {
        info_id: 'plum-orchard',
        status: 'failed' as const,
        collected_data: null,
        assumption_made: null,
        tool_calls_used: 1,
        timestamp: '2026-03-01T10:00:00Z',
      },
    ],
    new_comments: [{ author: 'alice', createdAt: '', body: 'It is plum-orchard.', isTrusted: true }],
  };
  const kept = redactState(state, createSecretFilters(secrets).redactOutgoing);
  expect(JSON.stringify(kept)).not.toContain('plum-orchard');
  expect(readPrePlanningState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  expect(kept.collection_plan?.collection_order).toEqual(['redacted-2', 'total']);
  expect(kept.collection_results).toMatchObject([{ info_id: 'redacted-2', status: 'failed' }]);
  expect(kept.new_comments[0]?.body).toBe('It is [REDACTED].');
});
