import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest } from '../../test/sample-request.ts';
import type { CheckpointAnswer } from './phase-parts.ts';
import type { PrePlanningOutcome } from './pre-planning-manager.ts';
import { type PrePlanningState, readPrePlanningState } from './pre-planning-state.ts';

const request = sampleRequest;
const comment = {
  author: 'mona',
  createdAt: '2026-11-22T11:00:00Z',
  body: 'The frontend too, please.',
  isTrusted: true,
};

describe('a phase that is interrupted', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  /** Interrupts at the n-th checkpoint; `state` is what goes through a file. */
  async function interruptAt(number: number): Promise<PrePlanningOutcome> {
    let count = 0;
    const checkpoint = async (): Promise<CheckpointAnswer> => {
      count += 1;
      return count >= number ? 'interrupt' : 'go';
    };
    return phase.createManager().execute({ request, checkpoint });
  }

  async function findWhole() {
    phase = await startPhase();
    const outcome = await phase.createManager().execute({ request });
    const { asked, reads } = phase;
    await phase.server.close();
    return { outcome, asked: [...asked], reads: [...reads] };
  }

  it('goes on at each sub-phase and item without doing anything twice [PP-57] [PP-58] [E16]', async () => {
    const whole = await findWhole();
    const seen = new Set<string>();
    for (let number = 1; ; number += 1) {
      phase = await startPhase();
      const first = await interruptAt(number);
      if (first.status === 'interrupted') {
        const state = JSON.parse(JSON.stringify(first.state));
        seen.add(state.current_subphase);
        expect(await phase.createManager().execute({ request, state })).toEqual(whole.outcome);
        expect(phase.asked).toEqual(whole.asked);
        expect(phase.reads.toSorted()).toEqual(whole.reads.toSorted());
      }
      if (first.status === 'done') break;
      await phase.server.close();
    }
    expect([...seen]).toEqual(['understanding', 'collection_planning', 'collection', 'assumption']);
  });

  it('goes on from any state that was kept, as after a crash [PP-57] [PP-58]', async () => {
    const whole = await findWhole();
    phase = await startPhase();
    const { events } = phase;
    const kept: { readonly state: string; readonly told: readonly string[] }[] = [];
    const saveState = async (state: PrePlanningState) =>
      void kept.push({ state: JSON.stringify(state), told: events.map(({ type }) => type) });
    await phase.createManager({ saveState }).execute({ request });
    expect(kept.length).toBeGreaterThan(10);
    const all = [...new Set(events.map(({ type }) => type))].filter((type) => type !== 'collection-progress');
    for (const { state, told } of kept) {
      events.length = 0;
      expect(await phase.createManager().execute({ request, state: JSON.parse(state) })).toEqual(
        whole.outcome,
      );
      // No notice is lost, wherever the crash was.
      expect([...told, ...events.map(({ type }) => type)]).toEqual(expect.arrayContaining(all));
    }
  });

  it('keeps sub-phase, understanding, plan, what was collected and assumed [PP-57]', async () => {
    phase = await startPhase();
    const manager = phase.createManager();
    await manager.execute({ request });
    expect(manager.getState()).toMatchObject({
      current_subphase: 'complete',
      understanding_result: { task_type: 'バグ修正' },
      collection_plan: { collection_order: ['a', 'b', 'c', 'd'] },
      collection_results: expect.arrayContaining(
        ['a', 'b', 'c', 'd'].map((id) => expect.objectContaining({ info_id: id })),
      ),
      assumptions: [{ label: 'A1' }, { label: 'A2' }],
      information_gaps: [{ info_id: 'c' }],
    });
  });

  it('hears what was said since before it goes on, and understands anew [PP-58] [E16]', async () => {
    phase = await startPhase();
    const first = await interruptAt(3);
    const state = first.status === 'interrupted' ? first.state : null;
    const news: CheckpointAnswer[] = [{ newComments: [comment] }];
    const checkpoint = async () => news.shift() ?? ('go' as const);
    await phase.createManager().execute({ request, state, checkpoint });
    expect(phase.asked).toEqual(['understanding', 'needs', 'understanding', 'assumption', 'assumption']);
    expect(phase.server.requests[2]?.written).toContain('The frontend too, please.');
    expect(phase.events.filter(({ type }) => type === 'understanding-end')).toMatchObject([
      { isRevised: false },
      { isRevised: true },
    ]);
  });

  it('keeps what is said together with an interruption, and hears it once [PP-57, PP-58]', async () => {
    phase = await startPhase();
    const outcome = await phase.createManager().execute({
      request,
      checkpoint: async () =>
        phase.asked.length === 1 ? { newComments: [comment], interrupts: true } : 'go',
    });
    expect(phase.asked).toEqual(['understanding']);
    const state = readPrePlanningState(JSON.parse(JSON.stringify(outcome)).state);
    expect(state).toMatchObject({ new_comments: [comment], understood_comments: 0 });
    await phase.createManager().execute({ request, state });
    expect(phase.asked.slice(0, 3)).toEqual(['understanding', 'understanding', 'needs']);
    expect(readPrePlanningState({ assumptions: 'A2' })).toBeNull();
  });

  it('understands anew before it ends when something is said during the last step [PP-58]', async () => {
    phase = await startPhase();
    const checkpoint = async (): Promise<CheckpointAnswer> =>
      phase.asked.length === 3 ? { newComments: [comment] } : 'go';
    await phase.createManager().execute({ request, checkpoint });
    expect(phase.asked.at(-1)).toBe('understanding');
  });

  it('takes a rejection on the thread from a trusted person, and from nobody else', async () => {
    phase = await startPhase();
    const reject = { ...comment, body: '/reject A1 test/ です' };
    const news = (isTrusted: boolean) => async (): Promise<CheckpointAnswer> =>
      phase.asked.length === 3 ? { newComments: [{ ...reject, isTrusted }] } : 'go';
    const stranger = await phase.createManager().execute({ request, checkpoint: news(false) });
    expect(stranger).toMatchObject({ result: { assumptions: [{ label: 'A1' }, { label: 'A2' }] } });
    phase.asked.length = 0;
    const trusted = await phase.createManager().execute({ request, checkpoint: news(true) });
    expect(trusted).toMatchObject({ result: { assumptions: [{ label: 'A2' }] } });
  });

  it('gives each notice once', async () => {
    phase = await startPhase();
    const first = await interruptAt(5);
    const state = first.status === 'interrupted' ? first.state : null;
    await phase.createManager().execute({ request, state });
    const types = phase.events.map(({ type }) => type).filter((type) => type !== 'collection-progress');
    expect(types).toEqual([
      'analysis-start',
      'understanding-end',
      'collection-start',
      'assumption-made',
      'assumption-made',
      'collection-end',
    ]);
  });

  it('names each gap once, also where collecting is switched off and it goes on [PP-57] [E10]', async () => {
    phase = await startPhase();
    const kept: string[] = [];
    const options = {
      collectionEnabled: false,
      saveState: async (state: PrePlanningState) => void kept.push(JSON.stringify(state)),
    };
    await phase.createManager(options).execute({ request });
    for (const state of [...kept]) {
      const manager = phase.createManager({ collectionEnabled: false });
      await manager.execute({ request, state: JSON.parse(state) });
      expect(manager.getState().information_gaps.map(({ info_id: id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  it('begins anew from a state that cannot be read, and says so', async () => {
    phase = await startPhase();
    const warnings: string[] = [];
    const warn = (_: object, message: string) => void warnings.push(message);
    const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
    const state = { current_subphase: 'lunch' };
    expect((await phase.createManager({ logger }).execute({ request, state })).status).toBe('done');
    expect(warnings[0]).toBe('failed to parse pre-planning state');
  });

  it('ends with the error when its state cannot be kept', async () => {
    phase = await startPhase();
    const saveState = () => Promise.reject(new Error('disk full'));
    await expect(phase.createManager({ saveState }).execute({ request })).rejects.toThrow('disk full');
  });
});
