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

  it.each([
    [{ understandingThreshold: 70 }, 'understandingThreshold must be a number from 0 to 1; it is 70.'],
    [{ assumptionThreshold: Number.NaN }, 'assumptionThreshold must be a number from 0 to 1; it is NaN.'],
    [{ maxRetriesPerTool: -1 }, 'maxRetriesPerTool must be a whole number of at least 0; it is -1.'],
    [{ maxItems: '50' }, 'maxItems must be a whole number of at least 1; it is "50".'],
    [{ maxPromptChars: -5 }, 'maxPromptChars must be a number of at least 1000; it is -5.'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone must be an IANA time zone that this system knows'],
    [{ locale: 'fr' }, 'locale must be "en" or "ja"; it is "fr".'],
    [{ saveState: 'here' }, 'saveState must be a function; it is "here".'],
    [{ secretFilters: { redactOutgoing: 5 } }, 'secretFilters.redactOutgoing must be a function; it is 5.'],
    [{ notifications: { asumption: true } }, 'notifications.asumption is unknown. Did you mean assumption?'],
    [{ understanding: {} }, 'understanding is unknown. Did you mean understandingThreshold?'],
  ])('are refused by their names where they are wrong: %o', async (options, message) => {
    phase = await startPhase();
    expect(() => phase.createManager(options as never)).toThrow(TypeError);
    expect(() => phase.createManager(options as never)).toThrow(`PrePlanningOptions.${message}`);
  });

  it('decide which events carry a notice; an option that is undefined has its default', async () => {
    phase = await startPhase();
    const notifications = { start: undefined as never, collectionEnd: false };
    expect(await phase.createManager({ locale: 'en', notifications }).execute({ request })).toMatchObject({
      status: 'done',
    });
    const noticeOf = (kind: string) => phase.events.find(({ type }) => type === kind);
    expect(noticeOf('analysis-start')).toMatchObject({ notice: expect.any(String) });
    expect(noticeOf('collection-end')).toMatchObject({ notice: null });
    expect(noticeOf('assumption-made')).toMatchObject({ notice: null });
  });

  it('belong to one request: a second call during the first is refused', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    const first = manager.execute({ request });
    await expect(manager.execute({ request })).rejects.toThrow('PrePlanningManager.execute is running.');
    expect(await first).toMatchObject({ status: 'done' });
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
