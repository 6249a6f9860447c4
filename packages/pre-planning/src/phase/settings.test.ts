import { afterEach, describe, expect, it } from 'vitest';
import { makeTool } from '../../test/collection-setup.ts';
import { type Phase, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';
import { createStructuredOutput } from '../answers/create-structured-output.ts';
import { createReadOnlyTools } from '../collection/create-read-only-tools.ts';
import { PrePlanningManager } from './pre-planning-manager.ts';

describe('the settings of the phase', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  it('decide from which confidence on an understanding suffices [PP-36] [PP-12]', async () => {
    phase = await startPhase();
    await phase.createManager({ understandingThreshold: 0.85 }).execute({ request });
    await phase.createManager({ understandingThreshold: 0.86 }).execute({ request });
    const ends = phase.events.filter((event) => event.type === 'understanding-end');
    expect(ends.map(({ isSufficient }) => isSufficient)).toEqual([true, false]);
  });

  it('decide from which confidence on an assumption is used [PP-40] [PP-28]', async () => {
    phase = await startPhase();
    const outcome = await phase.createManager({ assumptionThreshold: 0.61 }).execute({ request });
    expect(outcome).toMatchObject({ result: { assumptions: [] } });
    const gaps = outcome.status === 'done' ? outcome.result.information_gaps : [];
    expect(gaps.map(({ info_id: id, reason }) => [id, reason])).toEqual([
      ['b', '推測の確信度が不足しています (60%)'],
      ['c', '推測不可: 認証情報'],
      ['d', '準備中は読み取り専用のツールだけを実行します。推測の確信度が不足しています (60%)'],
    ]);
  });

  it.each([
    [0, 1],
    [2, 3],
    [3, 4],
  ])(
    'decide how often a tool is tried again: %d more times are %d calls [PP-38] [PP-21]',
    async (retries, calls) => {
      phase = await startPhase();
      let called = 0;
      const read = makeTool(() => {
        called += 1;
        throw new Error('503 unavailable');
      });
      const source = createStructuredOutput({ model: phase.server.model, maxRetries: 0 });
      const options = { maxRetriesPerTool: retries, sleep: async () => undefined };
      const manager = new PrePlanningManager({ source, tools: createReadOnlyTools({ read }) }, options);
      await manager.execute({ request });
      // Three of the four items name this tool.
      expect(called).toBe(3 * calls);
      expect(manager.getCollectionStatus().total_tool_calls).toBe(3 * calls);
    },
  );

  it('are replaced by their defaults, with a warning, where they are of no use', async () => {
    phase = await startPhase();
    const warned: unknown[] = [];
    const warn = (fields: object) => void warned.push(fields);
    const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
    const useless = {
      understandingThreshold: 70,
      assumptionThreshold: Number.NaN,
      maxRetriesPerTool: -1,
      parallel: 0,
      maxItems: 0,
      maxPromptChars: -5,
      timeZone: 'Mars/Olympus',
    };
    const outcome = await phase.createManager({ ...useless, logger }).execute({ request });
    expect(outcome).toMatchObject({ result: { assumptions: [{ label: 'A1' }, { label: 'A2' }] } });
    expect(phase.events.find(({ type }) => type === 'understanding-end')).toMatchObject({
      isSufficient: true,
    });
    const options = warned.map((fields) => (fields as { option: string }).option);
    expect(options.toSorted()).toEqual(Object.keys(useless).toSorted());
  });

  it('are replaced by their defaults also where no type checker looked, in every language and at every notice', async () => {
    phase = await startPhase();
    const warned: string[] = [];
    const warn = (fields: { option?: string }) => void warned.push(fields.option ?? '');
    const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
    const useless = { locale: 'fr', enabled: 'no', saveState: 'here' };
    const secretFilters = { redactOutgoing: 5 };
    const notifications = { asumption: true, start: 'no', understanding: undefined, collectionEnd: false };
    const options = { ...useless, secretFilters, notifications, logger } as never;
    expect(await phase.createManager(options).execute({ request })).toMatchObject({ status: 'done' });
    const wrong = [
      ...Object.keys(useless),
      'secretFilters.redactOutgoing',
      'notifications.asumption',
      'notifications.start',
    ];
    expect(warned.toSorted()).toEqual(wrong.toSorted());
    const noticeOf = (kind: string) => phase.events.find(({ type }) => type === kind);
    expect(noticeOf('analysis-start')).toMatchObject({
      status: 'Analyzing the task...',
      notice: expect.any(String),
    });
    expect(noticeOf('collection-end')).toMatchObject({ notice: null });
    expect(noticeOf('assumption-made')).toMatchObject({ notice: null });
  });

  it('keep long details elsewhere, by the id of the item [E15] [E21]', async () => {
    phase = await startPhase();
    const saved: string[] = [];
    const details = { save: async (id: string, text: string) => void saved.push(`${id} ${text.length}`) };
    const tools = createReadOnlyTools({ read: makeTool(() => 'x'.repeat(30_000)) });
    const source = createStructuredOutput({ model: phase.server.model, maxRetries: 0 });
    await new PrePlanningManager({ source, tools }, { details }).execute({ request });
    expect(saved.toSorted()).toEqual(['a 30000', 'b 30000', 'c 30000']);
  });
});
