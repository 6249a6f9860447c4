import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

describe('assuming what could not be collected', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  it('shows the model what was collected [PP-25]', async () => {
    phase = await startPhase();
    await phase.createManager().execute({ request });
    const asked = phase.server.requests.filter((_, index) => phase.asked[index] === 'assumption');
    expect(asked).toHaveLength(2);
    for (const { written } of asked) expect(written).toContain('const total = 1;');
  });

  it('tells of an assumption that was kept before a crash, and not told', async () => {
    phase = await startPhase();
    const kept: PrePlanningState[] = [];
    const saveState = async (state: PrePlanningState) => void kept.push(structuredClone(state));
    await phase.createManager({ saveState }).execute({ request });
    const state = kept.find(
      ({ assumptions, announced }) => assumptions.length === 1 && announced.length === 3,
    );
    expect(state?.announced).not.toContain('assumption-made A1');
    phase.events.length = 0;
    await phase.createManager({ notifications: { assumption: true } }).execute({ request, state });
    const told = phase.events.flatMap((event) =>
      event.type === 'assumption-made'
        ? [[event.assumption.label, event.notice?.includes(event.assumption.label)]]
        : [],
    );
    expect(told).toEqual([
      ['A1', true],
      ['A2', true],
    ]);
  });

  it('tells of none twice that was told before', async () => {
    phase = await startPhase();
    const kept: PrePlanningState[] = [];
    const saveState = async (state: PrePlanningState) => void kept.push(structuredClone(state));
    await phase.createManager({ saveState }).execute({ request });
    const state = kept.find(({ announced }) => announced.includes('assumption-made A1'));
    phase.events.length = 0;
    await phase.createManager().execute({ request, state });
    const told = phase.events.flatMap((event) =>
      event.type === 'assumption-made' ? event.assumption.label : [],
    );
    expect(told).toEqual(['A2']);
  });

  it.each([
    ['ja', '準備中は読み取り専用のツールだけを実行します。推測は無効です'],
    ['en', "unknown, because I don't run commands before planning; assuming is turned off"],
  ] as const)(
    'says of a gap that its tool was not run, and of no other, to thread and agent (%s) [E14, PP-30]',
    async (locale, reason) => {
      phase = await startPhase();
      const manager = phase.createManager({ assumptionEnabled: false, locale });
      await manager.execute({ request });
      const { information_gaps: gaps } = manager.getResult().pre_planning_result;
      const explained = gaps.filter((gap) => gap.reason === reason);
      expect(explained.map(({ info_id: id }) => id)).toEqual(['d']);
      expect(gaps).toHaveLength(3);
      expect(phase.events.at(-1)?.notice?.split(reason)).toHaveLength(2);
    },
  );
});
