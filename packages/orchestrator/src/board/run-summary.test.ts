import type { PausedRun } from '@agent/run-store';
import { expect, it } from 'vitest';
import { toPausedSummary } from './run-summary.ts';

it('names a run that has delivered and waits for reviews and checks as in review, every other that waits for a person as in need of input [NX-220]', () => {
  const metadata = { taskKeyText: 'github_issue:acme:shop:1', host: 'github.com', extra: {} };
  const summarize = (kind: string | null) => {
    const waits_for = kind === null ? null : { kind, id: 'x', until: null };
    const state = { pausedAt: '2026-03-01T10:00:00Z', planningState: { waits_for } };
    return toPausedSummary({ uuid: 'u', metadata, state } as unknown as PausedRun);
  };
  expect(summarize('follow-up')).toMatchObject({ name: 'acme/shop#1', state: 'in_review' });
  for (const kind of ['answer', 'approval', 'held'])
    expect(summarize(kind)).toMatchObject({ state: 'needs_input', waitsFor: kind });
  expect(summarize(null)).toMatchObject({ state: 'paused', waitsFor: null, pausedBy: null });
});
