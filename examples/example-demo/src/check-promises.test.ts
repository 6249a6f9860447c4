import type { ObservedModel } from '@agent/simulators/demo';
import { demoFault, demoGuess, demoRounding } from '@agent/simulators/demo/parts';
import { describe, expect, it } from 'vitest';
import { checkPromises } from './check-promises.ts';
import type { DemoFacts } from './demo-facts.ts';

const toldBefore = '### 📋 Understanding\n### ⚠️ Assumptions\n`/reject A1 <reason>`\n### 📚 Information';
const progress = [
  toldBefore,
  '### 📋 Execution Plan (Verification Round)',
  '**task_1**, attempt 1',
  '### ✅ Verification Passed',
  '### ⚠️ Verification Not Passed',
  `- ${demoFault.test}:18`,
  '**Original plan**',
].join('\n');
const report = '✅ Task completed';
const model: ObservedModel = {
  questions: ['understanding', 'needs', 'assumption'],
  firstStep: [
    demoFault.wrong,
    demoRounding.testBefore,
    '"scripts": { "test": "node --test" }',
    '- A1 rounding: per line (confidence 60%; why)',
    '- What the tests print now (impact: to see what fails; must not be assumed)',
    '- The login data for the till (impact: unknown)',
  ].join('\n'),
  toldBefore,
  objected: true,
};
const good: DemoFacts = {
  exitCode: 0,
  changeRequestWord: 'pull request',
  issueNumber: 1,
  issueLabels: ['bug', 'coding agent done'],
  progress,
  told: [report],
  written: '- ➖ The login data for the till (not found)',
  changeRequests: [{ number: 2, draft: true, body: 'Closes #1' }],
  changedFiles: [demoFault.file],
  testsOnMain: false,
  testsOnBranch: true,
  roundedTotal: 9,
  model,
};
const broken = (fields: Partial<DemoFacts>) =>
  checkPromises({ ...good, ...fields }).flatMap(({ promise, kept }) => (kept ? [] : [promise]));
const without = (text: string) => ({ model: { ...model, firstStep: model.firstStep.replace(text, '') } });

describe('checkPromises', () => {
  it('finds every promise kept after a good run', () => {
    expect(broken({})).toEqual([]);
    expect(broken({ model: null })).toEqual([]);
  });

  it.each<[string, Partial<DemoFacts>, RegExp]>([
    ['a daemon that failed', { exitCode: 1 }, /exit code 0/],
    ['an issue that still waits', { issueLabels: ['coding agent', 'coding agent done'] }, /labeled as done/],
    ['an issue that is not done', { issueLabels: ['coding agent failed'] }, /labeled as done/],
    ['two reports', { told: [report, report] }, /exactly one report/],
    ['no report', { told: [] }, /exactly one report/],
    ['another comment beside the report', { told: ['## Something', report] }, /exactly one report/],
    ['no pull request', { changeRequests: [] }, /exactly one pull request/],
    [
      'one that is no draft',
      { changeRequests: [{ number: 2, draft: false, body: '#1' }] },
      /exactly one pull request/,
    ],
    [
      'one that links another issue',
      { changeRequests: [{ number: 2, draft: true, body: '#12' }] },
      /pull request/,
    ],
    ['a changed default branch', { testsOnMain: true }, /default branch/],
    ['failing tests', { testsOnBranch: false }, /tests pass/],
    ['tests that never ran', { testsOnBranch: null }, /tests pass/],
  ])('notices %s, and nothing else', (_, fields, promise) => {
    expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
  });

  it.each<[string, Partial<DemoFacts>, RegExp]>([
    [
      'a step before it was told',
      { model: { ...model, toldBefore: '### 📋 Understanding' } },
      /one comment showed what it understood/,
    ],
    ['a plan that is not shown', { progress: toldBefore }, /shows the plan/],
    ['a placeholder that is not shown', { progress: progress.replace(':18', '') }, /shows the plan/],
    ['code that was not collected', without(demoFault.wrong), /instructions contain/],
    ['a test that was not collected', without('takes the discount off once'), /instructions contain/],
    ['a command that ran', { changedFiles: ['test-results.txt'] }, /read-only tools/],
    ['a gap that the agent is not told', without('- The login data for the till'), /not guessed/],
    ['a gap that people are not told', { written: '' }, /not guessed/],
    ['a guess on the thread', { written: `${good.written}\n${demoGuess}` }, /not guessed/],
    [
      'a guess that was asked for',
      { model: { ...model, questions: [...model.questions, 'assumption'] } },
      /not guessed/,
    ],
    ['an assumption that is not marked', without('- A1 rounding'), /after \/reject/],
    ['an assumption that nobody rejected', { model: { ...model, objected: false } }, /after \/reject/],
    ['a rejection that was not heeded', { roundedTotal: 10 }, /after \/reject/],
    ['a branch that does not work', { roundedTotal: null }, /after \/reject/],
  ])('notices %s where the script played, and nothing else', (_, fields, promise) => {
    expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
  });

  it('asks of a real model only what does not depend on its choices', () => {
    const plain = { ...good, model: null, written: '', roundedTotal: 10 };
    expect(broken({ ...plain, progress: toldBefore })).toEqual([]);
    expect(broken({ ...plain, progress: '' })).toEqual([expect.stringMatching(/showed what it understood/)]);
  });
});
