import { afterEach, describe, expect, it } from 'vitest';
import { type Asked, type Phase, sampleAnswers, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest } from '../../test/sample-request.ts';
import type { PrePlanningResult } from './make-result.ts';
import type { PrePlanningOutcome } from './pre-planning-manager.ts';

const request = sampleRequest;
const toResult = (outcome: PrePlanningOutcome): PrePlanningResult => {
  if (outcome.status !== 'done') throw new Error(`The phase is ${outcome.status}.`);
  return outcome.result;
};

describe('PrePlanningManager', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  it('understands, plans, collects, assumes and hands over [PP-5] [PP-6] [PP-48] [PP-29]', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    const result = toResult(await manager.execute({ request }));
    expect(phase.asked).toEqual(['understanding', 'needs', 'assumption', 'assumption']);
    expect(result.request_understanding).toMatchObject({
      task_type: 'バグ修正',
      understanding_confidence: 0.85,
    });
    expect(result.collected_information).toEqual({ codebase: { a: 'const total = 1;' } });
    expect(result.assumptions.map(({ label, info_id: id, confidence }) => [label, id, confidence])).toEqual([
      ['A1', 'b', 0.6],
      ['A2', 'd', 0.6],
    ]);
    expect(manager.getResult()).toEqual({ pre_planning_result: result });
  });

  it('records what became of each item, and the whole [PP-22] [PP-23] [PP-26] [E5]', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    await manager.execute({ request });
    const status = manager.getCollectionStatus();
    expect(status).toMatchObject({ total_tool_calls: 3, collection_success_rate: 0.25 });
    expect(
      status.collection_results.map(({ info_id: id, status: became, assumption_made: value }) => [
        id,
        became,
        value,
      ]),
    ).toEqual([
      ['a', 'collected', null],
      ['b', 'assumed', 'ソースの隣'],
      ['c', 'failed', null],
      ['d', 'assumed', 'ソースの隣'],
    ]);
  });

  it('gives result, status and state as JSON in the names of the document, all in snake_case [X10]', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    await manager.execute({ request });
    const names = new Set<string>();
    for (const json of [manager.getResult(), manager.getCollectionStatus(), manager.getState()]) {
      JSON.stringify(json, (name, value) => {
        if (!/^\d*$/.test(name)) names.add(name);
        return value;
      });
    }
    expect(names).toContain('pre_planning_result');
    expect(names).toContain('collection_results');
    expect([...names].filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });

  it('writes gaps and recommendations by rule [E20] [E19] [PP-55]', async () => {
    phase = await startPhase();
    const result = toResult(await phase.createManager().execute({ request }));
    expect(result.information_gaps).toEqual([
      {
        info_id: 'c',
        description: '決済サービスのAPIキー',
        impact: '接続のため',
        reason: '推測不可: 認証情報',
      },
    ]);
    expect(result.recommendations_for_planning).toEqual([
      '「決済サービスのAPIキー」は不明です (影響: 接続のため)。これに依存しない方法を検討してください',
      'A1「テストの配置」の推測「ソースの隣」を早い段階で確認してください',
      'A2「コーディング規約」の推測「ソースの隣」を早い段階で確認してください',
    ]);
  });

  it('goes on once at low confidence, and says so [PP-13] [PP-53] [E1]', async () => {
    const low = {
      request_understanding: { task_type: 'fix', primary_goal: '?', understanding_confidence: 'high' },
    };
    phase = await startPhase((asked) => (asked === 'understanding' ? low : sampleAnswers[asked]));
    const result = toResult(await phase.createManager({ locale: 'en' }).execute({ request }));
    expect(phase.asked.filter((asked) => asked === 'understanding')).toHaveLength(1);
    expect(result.recommendations_for_planning[0]).toBe(
      'The request was understood with low confidence (0%): start the plan by checking what was asked',
    );
    expect(phase.events.find(({ type }) => type === 'understanding-end')).toMatchObject({
      isSufficient: false,
    });
  });

  it('hands over a degraded, honest result when the model only talks [PP-52] [E13]', async () => {
    phase = await startPhase(() => ({ kind: 'say', text: 'Fix it? Certainly!' }));
    const result = toResult(await phase.createManager().execute({ request }));
    expect(result.request_understanding).toMatchObject({
      primary_goal: request.title,
      understanding_confidence: 0,
    });
    expect(phase.asked).toHaveLength(8);
    const end = phase.events.at(-1);
    expect(end).toMatchObject({
      type: 'collection-end',
      notice: expect.stringContaining('情報を収集できませんでした（計画生成失敗）'),
    });
    expect(end?.notice).not.toContain('不要');
    expect(result.recommendations_for_planning).toContainEqual(
      expect.stringContaining('情報収集の計画を生成できなかった'),
    );
  });

  it('calls no tools and assumes nothing when collecting is switched off [PP-37] [E10]', async () => {
    phase = await startPhase();
    const result = toResult(await phase.createManager({ collectionEnabled: false }).execute({ request }));
    expect([phase.reads, result.assumptions]).toEqual([[], []]);
    expect(result.information_gaps.map(({ info_id: id, reason }) => [id, reason])).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => [id, '情報収集は無効です']),
    );
  });

  it('makes gaps of failed items when assuming is switched off [PP-39] [E10]', async () => {
    phase = await startPhase();
    const result = toResult(await phase.createManager({ assumptionEnabled: false }).execute({ request }));
    expect(result.information_gaps.map(({ info_id: id }) => id)).toEqual(['b', 'c', 'd']);
    expect(result.assumptions).toEqual([]);
  });

  it('does nothing when it is switched off [PP-35]', async () => {
    phase = await startPhase();
    expect(await phase.createManager({ enabled: false }).execute({ request })).toEqual({
      status: 'disabled',
    });
    expect(phase.asked).toEqual([]);
  });

  it('skips collecting where nothing is needed, and still ends with its notice [PP-6] [PP-19] [E9]', async () => {
    const skip = { information_needs: { skip_collection: true, skip_reason: '一行の修正' } };
    phase = await startPhase((asked) => (asked === 'needs' ? skip : sampleAnswers[asked]));
    const manager = phase.createManager();
    await manager.execute({ request });
    expect(phase.events.map(({ type }) => type)).toEqual([
      'analysis-start',
      'understanding-end',
      'collection-end',
    ]);
    expect(phase.events.at(-1)?.notice).toContain('収集は不要と判断しました（一行の修正）');
    expect(manager.getCollectionStatus().collection_success_rate).toBe(1);
  });

  it('rejects with the state kept when the model cannot be asked, and goes on from it', async () => {
    phase = await startPhase((asked, count) =>
      asked === 'needs' && count === 1 ? { kind: 'refuse', status: 503 } : sampleAnswers[asked],
    );
    const manager = phase.createManager();
    await expect(manager.execute({ request })).rejects.toMatchObject({ code: 'model-unavailable' });
    const state = JSON.parse(JSON.stringify(manager.getState()));
    expect(state.current_subphase).toBe('collection_planning');
    toResult(await phase.createManager().execute({ request, state }));
    expect(phase.asked).toEqual([
      'understanding',
      'needs',
      'needs',
      'assumption',
      'assumption',
    ] satisfies Asked[]);
  });

  it('takes an assumption back that a person rejects: a gap and a constraint from then on', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    await manager.execute({ request });
    const rejected = await manager.rejectAssumptions([
      { label: 'A1', reason: 'test/ です' },
      { label: 'A9', reason: '' },
    ]);
    expect(rejected.constraints).toEqual([
      '推測 A1 は却下されました（テストの配置: ソースの隣）。理由: test/ です',
    ]);
    expect(rejected.unknown).toEqual(['A9']);
    const { pre_planning_result: result } = manager.getResult();
    expect(result.assumptions.map(({ label }) => label)).toEqual(['A2']);
    expect(result.request_understanding.constraints).toEqual(rejected.constraints);
    expect(result.information_gaps.at(-1)).toMatchObject({
      info_id: 'b',
      reason: '推測は却下されました: test/ です',
    });
    expect(manager.getCollectionStatus().collection_results[1]).toMatchObject({
      status: 'failed',
      assumption_made: null,
    });
  });

  it('goes on when its listener throws', async () => {
    phase = await startPhase();
    const onEvent = () => Promise.reject(new Error('the thread is locked'));
    toResult(await phase.createManager({ onEvent }).execute({ request }));
  });
});
