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
});
