import { describe, expect, it } from 'vitest';
import { listFacts } from '../../test/plan-answers.ts';
import { courseCalls, coursePlanning, createCoursePlanner } from '../../test/plan-course.ts';
import { planForTest } from '../../test/plan-setup.ts';
import { commentSaying, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal, type MemoryRunJournal, type RunSignal } from '../index.ts';

const points = [
  'before_planning',
  'after_planning',
  'before_action',
  'before_reflection',
  'before_revision',
  'before_verification',
  'before_finish',
] as const;

interface Disturbance {
  /** At which question, of its own kind, counted from 0. */
  readonly at: number;
  readonly signal?: RunSignal;
}

/** Runs the course; its log has each question for signals and comments before the line of the checkpoint that asked it. */
async function runCourse({
  journal = createMemoryRunJournal(),
  work = createTool((text) => text),
  disturbed = { at: -1 },
}: {
  readonly journal?: MemoryRunJournal;
  readonly work?: ReturnType<typeof createTool>;
  readonly disturbed?: Disturbance;
} = {}) {
  const log: string[] = [];
  const count = (what: string) => log.filter((line) => line === what).length;
  const model = createCoursePlanner();
  let asked = 0;
  const { result } = await planForTest({
    model,
    tools: { work },
    journal,
    planning: coursePlanning,
    now: () => 0,
    events: log,
    signals: {
      read: async () => {
        const isNow = disturbed.signal !== undefined && count('signals') === disturbed.at;
        log.push('signals');
        return isNow ? (disturbed.signal as RunSignal) : 'none';
      },
    },
    comments: {
      takeDelivery: async () => {
        const isNow = disturbed.signal === undefined && count('comments') === disturbed.at;
        log.push('comments');
        if (isNow) asked = model.prompts.length;
        return isNow ? commentSaying('In euros!', 'c1') : nothingNew;
      },
      markDelivered: () => undefined,
    },
  });
  return { result, log, model, work, journal, asked };
}

/** The question of this kind that the first checkpoint of this name asks, counted from 0. */
async function findQuestion(what: 'signals' | 'comments', point: string): Promise<number> {
  const { log } = await runCourse();
  const before = log.slice(0, log.indexOf(`${point}: go`));
  return before.filter((line) => line === what).length - 1;
}

describe('the checkpoints of planning mode', () => {
  it.each(points)(
    '%s asks for pause and stop, then for comments [CD-9, CD-10, CD-11, CD-12, CD-13, CD-T12]',
    async (point) => {
      const { log } = await runCourse();
      const places = log.flatMap((line, index) => (line === `${point}: go` ? [index] : []));
      expect(places.length).toBeGreaterThan(0);
      for (const index of places) expect(log.slice(index - 2, index)).toEqual(['signals', 'comments']);
    },
  );

  it.each(points)(
    '%s delivers what was said before the model is asked again, and the run still ends well [CD-9, CD-10, CD-11, CD-12, CD-13, CD-T12]',
    async (point) => {
      const at = await findQuestion('comments', point);
      const { result, log, model, work, asked } = await runCourse({ disturbed: { at } });
      expect(log).toContain(`${point}: delivered`);
      expect(JSON.stringify(model.prompts[asked])).toContain('In euros!');
      expect(result).toMatchObject({
        kind: 'ended',
        outcome: { status: 'completed', finalText: 'All is done.' },
      });
      expect(work.calls).toEqual(courseCalls);
    },
  );

  it.each(points)(
    'a pause at %s ends the run there, asks for no comments, and it goes on from there (P1 to P5) [NX-131]',
    async (point) => {
      const at = await findQuestion('signals', point);
      const { result, log, journal, work } = await runCourse({ disturbed: { at, signal: 'pause' } });
      expect(result).toMatchObject({
        outcome: { status: 'needs_input', finalText: point === 'before_finish' ? 'All is done.' : null },
      });
      expect(log.slice(-2)).toEqual(['signals', `${point}: pause`]);
      const resumed = await runCourse({ journal, work });
      expect(resumed.result).toMatchObject({ outcome: { status: 'completed', finalText: 'All is done.' } });
      expect(work.calls).toEqual(courseCalls);
      expect(listFacts(journal)).toEqual(listFacts((await runCourse()).journal));
    },
  );

  it.each(points)('a stop at %s ends the run there (S5, S6)', async (point) => {
    const at = await findQuestion('signals', point);
    const { result, log } = await runCourse({ disturbed: { at, signal: 'stop' } });
    expect(result).toMatchObject({ outcome: { status: 'stopped' } });
    expect(log.slice(-2)).toEqual(['signals', `${point}: stop`]);
  });

  it('a stop in the middle of an action leaves its other calls unmade', async () => {
    const { log } = await runCourse();
    const at = log.slice(0, log.indexOf('task_1 started (1)')).filter((line) => line === 'signals').length;
    const { result, work } = await runCourse({ disturbed: { at, signal: 'stop' } });
    expect(result).toMatchObject({ outcome: { status: 'stopped' } });
    expect(work.calls).toEqual([]);
    expect([...result.planning.tasks].map(([id, { state }]) => [id, state])).toEqual([
      ['task_1', 'started'],
      ['task_2', 'waiting'],
      ['task_3', 'waiting'],
    ]);
  });
});
