import { describe, expect, it } from 'vitest';
import { createContentPlanner, factsOf, wantingRevision } from '../../../test/plan-answers.ts';
import { type PlannedTestOptions, type PlannerScript, planForTest } from '../../../test/plan-setup.ts';
import { actionOf, verificationAnswer } from '../../../test/plans.ts';
import { commentSaying, createInbox, createTool, nothingNew } from '../../../test/run-setup.ts';
import type { VerificationAnswer } from '../model.ts';
import { judgeVerification } from './verify.ts';

const planning = { reflection: { trigger_interval: 0 } };

/** A run of two actions whose verifications answer in turn; the last answer is given again. */
async function runVerified(
  answers: readonly (Partial<VerificationAnswer> | string)[],
  { script = {}, ...options }: Partial<PlannedTestOptions> & { readonly script?: PlannerScript } = {},
) {
  const work = createTool((text) => text);
  const requests: string[] = [];
  let asked = 0;
  const model = createContentPlanner(['a', 'b'], {
    verification: ({ text }) => {
      requests.push(text);
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? {};
      return typeof answer === 'string' ? answer : JSON.stringify(verificationAnswer(answer));
    },
    ...script,
  });
  const run = await planForTest({ model, tools: { work }, planning, ...options });
  return { ...run, calls: work.calls, requests };
}

const fix = (text: string) => actionOf('verification_fix_1', { tool: 'work', parameters: { text } });
const lacking = (text: string): Partial<VerificationAnswer> => ({
  verification_passed: false,
  issues_found: [`${text} is missing`],
  additional_work_needed: true,
  additional_actions: [fix(text)],
});

const diffOf = (line: string) =>
  ['--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,1 +1,2 @@', ' const a = 1;', `+${line}`, ''].join('\n');

describe('the verification of a plan', () => {
  it('that is passed ends the run as completed', async () => {
    const { result, journal, requests } = await runVerified([{}]);
    expect(requests[0]).toContain('Success criteria:\n- It works.');
    expect(factsOf(journal, 'verification')).toMatchObject([{ round: 1 }]);
    expect(result).toMatchObject({
      outcome: { status: 'completed' },
      planning: { completion: { summary: { goal_achieved: true } } },
    });
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('that names additional work has it done once, listed once, and verified again [NX-119]', async () => {
    const { result, journal, calls } = await runVerified([lacking('c'), {}]);
    expect(calls).toEqual(['a', 'b', 'c']);
    expect(result.planning.plan?.action_plan.execution_order).toEqual([
      'task_1',
      'task_2',
      'verification_fix_1',
    ]);
    expect(factsOf(journal, 'revision')).toMatchObject([{ cause: 'verification', reason: 'c is missing' }]);
    expect(factsOf(journal, 'verification').map(({ round }) => round)).toEqual([1, 2]);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('that never passes ends after its rounds, and the result is called partial [NX-120]', async () => {
    const { result, journal, calls } = await runVerified([lacking('c'), lacking('d'), lacking('e')], {
      planning: { ...planning, verification: { max_rounds: 3 } },
    });
    expect(calls).toEqual(['a', 'b', 'c', 'd']);
    expect(factsOf(journal, 'verification').map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(factsOf(journal, 'revision_dropped')).toMatchObject([
      { cause: 'verification', reasons: ['verification.max_rounds (3) is reached'] },
    ]);
    expect([...result.planning.tasks.keys()]).toEqual([
      ...['task_1', 'task_2', 'verification_fix_1', 'verification_fix_2'],
    ]);
    expect(result).toMatchObject({
      outcome: { status: 'partial' },
      planning: { completion: { summary: { goal_achieved: false } } },
    });
  });

  it('that finds faults and names no work for them stops verifying, and is partial', async () => {
    const { result, journal } = await runVerified([
      { verification_passed: false, issues_found: ['it is slow'] },
    ]);
    expect(factsOf(journal, 'verification')).toHaveLength(1);
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it.each([
    ['prose', 'All is well.'],
    ['no verdict', '{"issues_found":[]}'],
  ])('that cannot be read is asked for twice more, and is not passed: %s', async (_, answer) => {
    const { result, journal, requests } = await runVerified([answer]);
    expect(requests).toHaveLength(3);
    expect(factsOf(journal, 'verification')).toMatchObject([
      { verification_result: { verification_passed: false } },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('whose work no tool can do is asked for again, with the reason', async () => {
    const unknown = { ...lacking('c'), additional_actions: [actionOf('v', { tool: 'magic' })] };
    const { calls, result } = await runVerified([unknown, lacking('c'), {}]);
    expect(calls).toEqual(['a', 'b', 'c']);
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
    const never = await runVerified([unknown]);
    expect(never.requests).toHaveLength(3);
    expect(factsOf(never.journal, 'revision')).toEqual([]);
    expect(never.result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('is not passed over a placeholder that code found, whatever the model says [NX-120]', async () => {
    const { result, requests, journal } = await runVerified([{}], {
      sources: { readDiff: async () => diffOf('// TODO: the rest') },
    });
    expect(requests[0]).toContain('- src/a.ts:2');
    // The answer goes back twice: it is the model that has to speak of the place.
    expect(requests).toHaveLength(3);
    expect(factsOf(journal, 'verification')).toMatchObject([
      { verification_result: { placeholder_detected: { count: 1, locations: ['src/a.ts:2'] } } },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('is passed once the placeholder is gone, or explained', async () => {
    let diff = diffOf('// TODO: the rest');
    const gone = await runVerified([lacking('c'), {}], {
      sources: { readDiff: async () => diff },
      tools: {
        work: createTool((text) => {
          if (text === 'c') diff = diffOf('const b = 2;');
          return text;
        }),
      },
    });
    expect(gone.result).not.toMatchObject({ outcome: { status: 'partial' } });
    const explained = [{ location: 'src/a.ts:2', reason: 'a text about them' }];
    const told = await runVerified([{ placeholder_detected: { count: 0, locations: [], explained } }], {
      sources: { readDiff: async () => diffOf('// TODO: the rest') },
    });
    expect(told.result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('is not passed by an explanation of some placeholders where there are too many to name', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `+// TODO: ${index}`);
    const diff = ['--- a/a.ts', '+++ b/a.ts', '@@ -0,0 +1,60 @@', ...lines, ''].join('\n');
    const explained = lines.map((_, index) => ({ location: `a.ts:${index + 1}`, reason: 'so' }));
    const answer = { placeholder_detected: { count: 0, locations: [], explained } };
    const { result, requests } = await runVerified([answer], { sources: { readDiff: async () => diff } });
    expect(requests[0]).toContain('- and 10 more');
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('comes again, its rounds counted on, after people had the finished plan changed', async () => {
    const inbox = createInbox([
      ...Array.from({ length: 8 }, () => nothingNew),
      commentSaying('And c.', 'c1'),
    ]);
    const { result, journal, calls } = await runVerified([lacking('x'), {}, lacking('y'), {}], {
      comments: inbox,
      script: { reflection: () => wantingRevision('c') },
    });
    expect(calls).toEqual(['a', 'b', 'x', 'c', 'y']);
    const rounds = factsOf(journal, 'verification').map(({ round, last_round: last }) => `${round}/${last}`);
    expect(rounds).toEqual(['1/2', '2/2', '3/4', '4/4']);
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('is not passed where what the run changed could not be read', async () => {
    const { result } = await runVerified([{}], {
      sources: {
        readDiff: async () => {
          throw new Error('no git');
        },
      },
    });
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('may run checks that are named, and nothing else that changes things', async () => {
    const check = createTool(() => 'exit code 0');
    const work = createTool((text) => text);
    const model = createContentPlanner(['a', 'b'], {
      verification: ({ after }) => {
        if (after.some(({ role }) => role === 'tool')) return JSON.stringify(verificationAnswer());
        return [
          { id: 'v1', tool: 'check', input: { text: 'all' } },
          { id: 'v2', tool: 'work', input: { text: 'more' } },
        ];
      },
    });
    await planForTest({ model, tools: { work, check }, planning, checkTools: ['check'] });
    expect(check.calls).toEqual(['all']);
    expect(work.calls).toEqual(['a', 'b']);
  });
});

const explaining = (location: string) =>
  verificationAnswer({
    placeholder_detected: { count: 0, locations: [], explained: [{ location, reason: 'a text about them' }] },
  });

describe('the judgement on a verification', () => {
  it('is passed when the model says so and code found nothing', () => {
    const answer = verificationAnswer();
    expect(judgeVerification(answer, [])).toEqual({ result: answer, unexplained: [] });
  });

  it('is not passed while a placeholder that code found is not explained', () => {
    const { result, unexplained } = judgeVerification(verificationAnswer(), ['src/a.ts:3']);
    expect(unexplained).toEqual(['src/a.ts:3']);
    expect(result).toMatchObject({
      verification_passed: false,
      issues_found: ['src/a.ts:3: an unexplained placeholder'],
      placeholder_detected: { count: 1, locations: ['src/a.ts:3'] },
    });
  });

  it('is passed with placeholders that the model explains, each by its place', () => {
    const answer = explaining('`src/a.ts:3`');
    expect(judgeVerification(answer, ['src/a.ts:3']).result.verification_passed).toBe(true);
    expect(judgeVerification(answer, ['src/a.ts:3', 'src/a.ts:31']).unexplained).toEqual(['src/a.ts:31']);
    expect(judgeVerification(answer, ['a.ts:3']).unexplained).toEqual(['a.ts:3']);
    expect(judgeVerification(explaining('src/a.ts:31'), ['src/a.ts:3']).unexplained).toEqual(['src/a.ts:3']);
  });

  it('is not passed by code that could not look', () => {
    const { result } = judgeVerification(verificationAnswer(), null);
    expect(result).toMatchObject({
      verification_passed: false,
      issues_found: ['What the run changed could not be read, so placeholders were not looked for.'],
    });
  });

  it('keeps what the model found, and the work that it names', () => {
    const additional_actions = [actionOf('verification_fix_1')];
    const issues_found = ['a test is missing'];
    const answer = verificationAnswer({ verification_passed: false, issues_found, additional_actions });
    expect(judgeVerification(answer, []).result).toEqual(answer);
  });
});
