import { describe, expect, it } from 'vitest';
import {
  createContentPlanner,
  factsOf,
  reflectionText,
  wantingRevision,
} from '../../../test/plan-answers.ts';
import { type PlannedTestOptions, planForTest } from '../../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool } from '../../../test/run-setup.ts';
import { createMemoryRunJournal } from '../../index.ts';
import type { ApprovalReading, PeopleQuestion } from '../ports.ts';

const planning = {
  approval: 'required',
  verification: { enabled: false },
  reflection: { trigger_interval: 0 },
} as const;

/** A run whose plan must be approved; `approvals` says by plan what people answered, `request` is what was asked for. */
function setUp(texts: readonly string[] = ['a', 'b']) {
  const asked: Extract<PeopleQuestion, { kind: 'approval' }>[] = [];
  const shown = new Set<string>();
  const approvals = new Map<string, ApprovalReading>();
  const request = { hash: 'as-it-was' };
  const journal = createMemoryRunJournal();
  const work = createTool((text) => text);
  const model = createContentPlanner(texts, {
    reflection: ({ text }) => (text.includes('Do c.') ? 'no' : wantingRevision('c', 'd')),
  });
  const people = {
    ask: async (question: PeopleQuestion) => {
      if (question.kind !== 'approval') return;
      asked.push(question);
      // What was said before a question is no answer to it.
      if (!shown.has(question.id)) approvals.delete(question.planHash);
      shown.add(question.id);
    },
    readApproval: async (planHash: string) => approvals.get(planHash) ?? { state: 'none' as const },
    rejectedAssumptions: async () => [],
  };
  let minutes = 0;
  const run = (options: Partial<PlannedTestOptions> = {}) =>
    planForTest({
      ...{ model, journal, people, planning, tools: { work } },
      sources: { readRequestHash: async () => request.hash },
      // Each question of the time is a minute and a half after the last.
      now: () => {
        minutes += 1.5;
        return minutes * 60_000;
      },
      ...options,
    });
  const approve = (planHash: string | undefined) =>
    approvals.set(planHash ?? '', { state: 'given', by: 'alice' });
  return { run, approve, approvals, asked, shown, request, journal, work, model, people };
}

const waiting = { outcome: { status: 'needs_input', waitsFor: { kind: 'approval', until: null } } };

describe('a plan that must be approved', () => {
  it('is shown, and the run waits without asking the model again; then it is carried out as it was shown [NX-123]', async () => {
    const { run, approve, asked, work, model, journal } = setUp();
    expect((await run()).result).toMatchObject(waiting);
    expect((await run()).result).toMatchObject(waiting);
    expect([model.prompts.length, work.calls.length]).toEqual([1, 0]);
    expect(asked.map(({ id }) => id)).toEqual(['approval-1', 'approval-1']);
    approve(asked[0]?.planHash);
    expect((await run()).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(work.calls).toEqual(['a', 'b']);
    expect(factsOf(journal, 'approval').map(({ state, by }) => [state, by])).toEqual([
      ['asked', null],
      ['given', 'alice'],
    ]);
  });

  it('counts only for the plan that it names: a changed one is shown anew [NX-123]', async () => {
    const { run, approve, asked, shown, work } = setUp();
    await run();
    const { result } = await run({ comments: createInbox([commentSaying('Do c and d.', 'c1')]) });
    expect(result).toMatchObject(waiting);
    expect(shown).toEqual(new Set(['approval-1', 'approval-2']));
    approve(asked[0]?.planHash);
    expect((await run()).result).toMatchObject(waiting);
    approve(asked.at(-1)?.planHash);
    expect((await run()).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(work.calls).toEqual(['c', 'd']);
  });

  it('waits on after what people only ask, who get an answer; an answer to nobody is none [NX-123]', async () => {
    const { run, approve, asked, shown, work, journal } = setUp();
    await run();
    const requests: string[] = [];
    const answering = createContentPlanner(['a', 'b'], {
      reflection: ({ text }) => {
        requests.push(text);
        return reflectionText({ reply: 'Two steps, then it is done.' });
      },
    });
    const comments = createInbox([commentSaying('How many steps are there?', 'c1')]);
    expect((await run({ model: answering, comments })).result).toMatchObject(waiting);
    expect(requests).toMatchObject([expect.stringContaining('"reply": null')]);
    expect(shown).toEqual(new Set(['approval-1']));
    const listReplies = () => factsOf(journal, 'reflection').map(({ evaluation }) => evaluation.reply);
    expect(listReplies()).toEqual(['Two steps, then it is done.']);
    approve(asked[0]?.planHash);
    const atIntervals = { ...planning, reflection: { trigger_interval: 1 } };
    const { result } = await run({ model: answering, planning: atIntervals });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(work.calls).toEqual(['a', 'b']);
    expect(listReplies().slice(1)).toEqual([null, null]);
  });

  it('that was approved of waits again once who approved may not any more, before the next action [NX-123]', async () => {
    const { run, approve, approvals, asked, work, journal } = setUp();
    await run();
    const hash = asked[0]?.planHash ?? '';
    approve(hash);
    const revoking = createTool((text) => {
      approvals.set(hash, { state: 'revoked', by: 'alice', reason: 'alice may not steer any more' });
      return text;
    });
    expect((await run({ tools: { work: revoking } })).result).toMatchObject(waiting);
    expect(revoking.calls).toEqual(['a']);
    expect(factsOf(journal, 'approval').at(-2)).toMatchObject({
      state: 'void',
      reason: 'alice may not steer any more',
    });
    approve(hash);
    expect((await run()).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(work.calls).toEqual(['b']);
  });

  it('waits again where the request was changed [NX-123]', async () => {
    const { run, approve, asked, request, journal } = setUp();
    await run();
    approve(asked[0]?.planHash);
    const changing = createTool((text) => {
      request.hash = 'changed';
      return text;
    });
    expect((await run({ tools: { work: changing } })).result).toMatchObject(waiting);
    expect(factsOf(journal, 'approval').map(({ state, reason }) => reason ?? state)).toContain(
      'request_changed',
    );
    expect(changing.calls).toEqual(['a']);
  });

  it('waits where the approval cannot be asked for, and goes on where one that was given cannot be read again', async () => {
    const { run, approve, asked, people, work } = setUp();
    await run();
    approve(asked[0]?.planHash);
    const unread = { ...people, readApproval: async () => Promise.reject(new Error('503')) };
    expect((await run({ people: unread })).result).toMatchObject(waiting);
    let reads = 0;
    const once = {
      ...people,
      readApproval: async (hash: string) =>
        reads++ === 0 ? people.readApproval(hash) : Promise.reject(new Error('503')),
    };
    expect((await run({ people: once })).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(work.calls).toEqual(['a', 'b']);
  });

  it('is none that can be skipped: a single action waits as well, and without a plan nothing is done [NX-123]', async () => {
    const single = setUp(['a']);
    expect((await single.run()).result).toMatchObject(waiting);
    expect(single.work.calls).toEqual([]);
    const planless = setUp();
    const { result } = await planless.run({
      model: createContentPlanner(['a'], { planning: () => 'Let me begin.' }),
    });
    expect(result).toMatchObject({
      outcome: { status: 'failed', reason: expect.stringContaining('planning.approval') },
    });
    expect(planless.work.calls).toEqual([]);
  });
});
