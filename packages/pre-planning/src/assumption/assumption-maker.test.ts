import type { ModelReaction } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { makeNeed } from '../../test/collection-setup.ts';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { understandingAnswer } from '../../test/sample-request.ts';
import { createStructuredOutput } from '../answers/create-structured-output.ts';
import type { InformationNeed } from '../collection/information-needs.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import { AssumptionMaker, type AssumptionOptions } from './assumption-maker.ts';

const understanding = understandingSchema.parse(understandingAnswer).request_understanding;
const collected = [
  {
    info_id: 'info_9',
    status: 'collected',
    collected_data: { summary: 'tests stand in test/', details: '' },
    assumption_made: null,
    tool_calls_used: 1,
    timestamp: '2026-11-22T10:00:00.000Z',
  },
] as const;

describe('AssumptionMaker', () => {
  let server: ModelServer | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  async function assume(
    need: InformationNeed,
    reaction: ModelReaction | object,
    options: AssumptionOptions = {},
  ) {
    const said: ModelReaction =
      'kind' in reaction
        ? (reaction as ModelReaction)
        : { kind: 'say', text: JSON.stringify({ assumption: { info_id: need.id, ...reaction } }) };
    server = await startModelServer(() => said);
    const source = createStructuredOutput({ model: server.model, maxRetries: 0 });
    const maker = new AssumptionMaker(source, { locale: 'ja', ...options });
    return maker.makeAssumption({ need, reason: '404 not found', understanding, collected, label: 'A1' });
  }
  const answer = {
    assumed_value: 'Vitest',
    reasoning: 'tests stand in test/',
    confidence: 0.6,
    refuted_by: 'another runner in package.json',
  };

  it("records value, reasons and confidence as the seed's JSON, with a label [PP-26] [PP-51]", async () => {
    expect(await assume(makeNeed('info_1'), answer)).toEqual({
      kind: 'assumed',
      assumption: { label: 'A1', info_id: 'info_1', ...answer },
    });
  });

  it('asks with what was wanted, why it failed, what else is known and common practice [PP-25]', async () => {
    await assume(makeNeed('info_1', { default_assumption: 'Jest' }), answer);
    const { written } = server?.requests[0] ?? { written: '' };
    for (const part of ['what info_1 is', '404 not found', 'tests stand in test/', 'best practice', 'Jest']) {
      expect(written).toContain(part);
    }
  });

  it('uses what reaches the threshold, and makes a gap of what does not [PP-28] [PP-56] [E2]', async () => {
    expect(await assume(makeNeed('a'), { ...answer, confidence: '0.5' })).toMatchObject({ kind: 'assumed' });
    await server?.close();
    expect(await assume(makeNeed('a'), { ...answer, confidence: 0.4999 })).toEqual({
      kind: 'gap',
      gap: {
        info_id: 'a',
        description: 'what a is',
        impact: 'to know a',
        reason: '推測の確信度が不足しています (49%)',
      },
    });
  });

  it('asks nobody about what is never assumed, and records the gap [PP-27] [PP-55] [E7]', async () => {
    const need = makeNeed('info_1', { description: 'the API key', default_assumption: 'abc' });
    expect(await assume(need, answer)).toMatchObject({ kind: 'gap', gap: { reason: '推測不可: 認証情報' } });
    await server?.close();
    const locked = makeNeed('info_1', { can_assume: false });
    expect(await assume(locked, answer)).toMatchObject({ kind: 'gap', gap: { reason: '推測不可' } });
    expect(server?.requests).toHaveLength(0);
  });

  it('refuses a value that is never assumed, however harmless the question was [PP-27] [E7]', async () => {
    const decision = await assume(makeNeed('a'), { ...answer, assumed_value: 'ghp_0123456789abcdefghij' });
    expect(decision).toMatchObject({ kind: 'gap', gap: { reason: '推測不可: 認証情報' } });
  });

  it('tells of no reason that speaks of it, and lets the harmless value stand [PP-27] [E7]', async () => {
    const reasoning = 'the API key is sk_live_abc and the password hunter2';
    const refutedBy = 'mona@example.org が違うと言う';
    const decision = await assume(makeNeed('a'), { ...answer, reasoning, refuted_by: refutedBy });
    const withheld = '推測不可の項目に触れているため省略';
    expect(decision).toEqual({
      kind: 'assumed',
      assumption: { ...answer, label: 'A1', info_id: 'a', reasoning: withheld, refuted_by: withheld },
    });
  });

  it('finds no assumption valid whose reasons speak of it [PP-27] [PP-51]', () => {
    const maker = new AssumptionMaker({ ask: () => Promise.reject(new Error('nothing is asked')) });
    const valid = { ...answer, label: 'A1', info_id: 'a' };
    const reason = { ...valid, reasoning: 'the password is hunter2' };
    const doubt = { ...valid, refuted_by: 'the password is hunter2' };
    expect(maker.validateAssumptions([reason, doubt, valid])).toEqual([valid]);
  });

  it('refuses an empty value, however sure the model is [PP-55]', async () => {
    const decision = await assume(makeNeed('a'), { ...answer, assumed_value: ' ' }, { locale: 'en' });
    expect(decision).toMatchObject({ kind: 'gap', gap: { reason: 'nothing could be assumed' } });
  });

  it('takes the default where the model says nothing that can be read [E6]', async () => {
    const need = makeNeed('a', { default_assumption: 'src/' });
    expect(await assume(need, { kind: 'say', text: 'Perhaps src.' })).toMatchObject({
      kind: 'assumed',
      assumption: { assumed_value: 'src/', confidence: 0.5, reasoning: 'default_assumption' },
    });
    await server?.close();
    expect(await assume(need, { kind: 'refuse', status: 401 })).toMatchObject({ kind: 'assumed' });
    await server?.close();
    expect(await assume(need, { kind: 'say', text: 'Hm.' }, { confidenceThreshold: 0.6 })).toMatchObject({
      kind: 'gap',
    });
  });

  it('makes a gap where there is neither an answer nor a default [PP-55] [E6]', async () => {
    const decision = await assume(makeNeed('a'), { kind: 'say', text: 'Hm.' }, { locale: 'en' });
    expect(decision).toMatchObject({ kind: 'gap', gap: { reason: 'nothing could be assumed' } });
  });

  it('assumes nothing when it is switched off [PP-39] [E10]', async () => {
    expect(await assume(makeNeed('a'), answer, { enabled: false })).toMatchObject({ kind: 'gap' });
    expect(server?.requests).toHaveLength(0);
  });

  it('numbers what it assumes, and leaves out the gaps [PP-51]', async () => {
    server = await startModelServer(() => ({ kind: 'say', text: JSON.stringify({ assumption: answer }) }));
    const maker = new AssumptionMaker(createStructuredOutput({ model: server.model }), { locale: 'ja' });
    const items = [makeNeed('a'), makeNeed('password'), makeNeed('b')].map((need) => ({
      need,
      reason: 'timeout',
      understanding,
      collected,
    }));
    const decisions = await maker.makeAssumptions(items, { firstNumber: 3 });
    const assumptions = decisions.flatMap((decision) =>
      decision.kind === 'assumed' ? decision.assumption : [],
    );
    expect(assumptions.map(({ label, info_id: id }) => [label, id])).toEqual([
      ['A3', 'a'],
      ['A4', 'b'],
    ]);
    const doubtful = assumptions.map((one) => ({ ...one, confidence: one.label === 'A3' ? 0.1 : 0.9 }));
    expect(maker.validateAssumptions(doubtful).map(({ label }) => label)).toEqual(['A4']);
  });
});
