import { describe, expect, it } from 'vitest';
import { judgeOutcome, type OutcomeEvidence } from './judge-outcome.ts';

/** A run that delivered changes without a plan. */
const delivered: OutcomeEvidence = {
  ...{
    status: 'completed',
    finalText: 'I fixed the sum in total.js.',
    hasRepository: true,
    hasDelivered: true,
  },
  ...{ lacksPlan: false, isQuestion: null, hasRead: true, hasChecked: false },
};
const unchanged: OutcomeEvidence = {
  ...delivered,
  hasDelivered: false,
  finalText: 'The sum is right already.',
};
const question: OutcomeEvidence = {
  ...unchanged,
  isQuestion: true,
  hasRead: false,
  finalText: 'In total.js.',
};

describe('judgeOutcome', () => {
  it.each<[string, OutcomeEvidence, string]>([
    ['a run that was stopped', { ...delivered, status: 'stopped' }, 'stopped'],
    ['a run that failed', { ...delivered, status: 'failed' }, 'failed'],
    ['a run that waits', { ...delivered, status: 'needs_input' }, 'needs_input'],
    ['changes without a plan', delivered, 'completed'],
    ['changes by a plan that is done', { ...delivered, isQuestion: false }, 'completed'],
    ['changes by a plan of which something is open', { ...delivered, status: 'partial' }, 'partial'],
    ['changes without the plan that was wanted', { ...delivered, lacksPlan: true }, 'partial'],
    ['the same, checked', { ...delivered, lacksPlan: true, hasChecked: true }, 'completed'],
    ['an open plan, checked', { ...delivered, status: 'partial', hasChecked: true }, 'partial'],
    ['an answered question', question, 'answered'],
    ['a question that changed files', { ...question, hasDelivered: true }, 'completed'],
    ['a question whose plan is open', { ...question, status: 'partial' }, 'answered'],
    ['a question without an answer', { ...question, finalText: 'Done.' }, 'failed'],
    ['a question without a final text', { ...question, finalText: null }, 'failed'],
    ['a stated reason after a read', unchanged, 'nothing_to_change'],
    ['the same without pre-planning', { ...unchanged, isQuestion: false }, 'nothing_to_change'],
    ['the same without the plan that was wanted', { ...unchanged, lacksPlan: true }, 'nothing_to_change'],
    ['a stated reason without a read', { ...unchanged, hasRead: false }, 'failed'],
    ['a read without a reason', { ...unchanged, finalText: '✅ 完了しました。' }, 'failed'],
    ['a reason while the plan is open', { ...unchanged, status: 'partial' }, 'failed'],
    ['a text without a repository', { ...unchanged, hasRepository: false, hasRead: false }, 'answered'],
    ['a status word without a repository', { ...unchanged, hasRepository: false, finalText: 'OK' }, 'failed'],
  ])('judges %s', (_what, evidence, outcome) => {
    expect(judgeOutcome(evidence).outcome).toBe(outcome);
  });

  it('names the cause of a failure that the runner did not see', () => {
    expect(judgeOutcome({ ...unchanged, finalText: 'Done.' }).cause).toBe('no-work');
    expect(judgeOutcome({ ...unchanged, status: 'partial' }).cause).toBe('open-plan');
    expect(judgeOutcome({ ...unchanged, status: 'failed' }).cause).toBeNull();
  });
});
