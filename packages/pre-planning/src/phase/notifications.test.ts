import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, sampleAnswers, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';
import { prePlanningConfigSchema } from '../config.ts';
import { type NotificationOptions, toPrePlanningOptions } from './pre-planning-options.ts';

describe('what people are told', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  async function listNoticed(notifications: NotificationOptions = {}) {
    phase = await startPhase();
    await phase.createManager({ notifications }).execute({ request });
    const noticed = phase.events.flatMap(({ type, notice }) => (notice === null ? [] : [type]));
    await phase.server.close();
    return noticed;
  }

  it('is the start, what was understood, what is collected and the end; assumptions on request [PP-31] [PP-41..PP-44] [E8]', async () => {
    expect(await listNoticed()).toEqual([
      'analysis-start',
      'understanding-end',
      'collection-start',
      'collection-end',
    ]);
    expect(await listNoticed({ assumption: true })).toContain('assumption-made');
  });

  it.each([
    ['start', 'analysis-start'],
    ['understanding', 'understanding-end'],
    ['collectionStart', 'collection-start'],
    ['collectionEnd', 'collection-end'],
  ] as const)(
    'is not %s when it is switched off, though listeners hear of it [PP-41..PP-43] [E8]',
    async (name, type) => {
      expect(await listNoticed({ [name]: false })).not.toContain(type);
      expect(phase.events.map((event) => event.type)).toContain(type);
    },
  );

  /** Each key, the event that it switches, and the heading of its notice. */
  const headings = {
    notify_on_start: ['analysis-start', 'Task analysis started', 'タスク分析を開始します'],
    notify_on_understanding_complete: [
      'understanding-end',
      'Task understood',
      'タスク内容の理解が完了しました',
    ],
    notify_on_collection_start: ['collection-start', 'Collecting information', '情報収集を開始します'],
    notify_on_collection_complete: ['collection-end', 'Information collected', '情報収集が完了しました'],
    notify_on_assumption: ['assumption-made', 'Information assumed', '情報を推測しました'],
  } as const;

  it.each(
    Object.entries(headings).flatMap(([key, [type, en, ja]]) => [
      [key, 'en' as const, type, en] as const,
      [key, 'ja' as const, type, ja] as const,
    ]),
  )('is switched by the key %s in the locale %s [PP-41..PP-44, E8]', async (key, locale, type, heading) => {
    for (const value of [true, false]) {
      const config = prePlanningConfigSchema.parse({ notification: { [key]: value } });
      phase = await startPhase();
      await phase.createManager({ ...toPrePlanningOptions(config), locale }).execute({ request });
      const notices = phase.events.flatMap((event) => (event.type === type ? [event.notice ?? ''] : []));
      expect(notices.join().includes(heading)).toBe(value);
      await phase.server.close();
    }
  });

  it.each([
    ['planning', 'ja', '計画フェーズに移行します...'],
    ['work', 'ja', '作業を開始します...'],
    ['planning', 'en', 'Moving on to planning...'],
    ['work', 'en', 'Starting the work...'],
  ] as const)('announces the next phase at the end: %s in %s [PP-34]', async (next, locale, line) => {
    phase = await startPhase();
    await phase.createManager({ next, locale }).execute({ request });
    expect(phase.events.at(-1)?.notice).toContain(`\n${line}\n`);
  });

  it('has a status line for live views, and progress item by item [PP-31]', async () => {
    await listNoticed();
    expect(phase.events[0]).toMatchObject({ type: 'analysis-start', status: 'タスク内容を分析中...' });
    const progress = phase.events.filter((event) => event.type === 'collection-progress');
    expect(progress.map(({ done, total }) => `${done}/${total}`)).toEqual(['1/4', '2/4', '3/4', '4/4']);
  });

  it('has no secret in it that stands in what models and people say, whatever signs it has', async () => {
    const secrets = ['p@ss#1word', 'abc<def>ghi'];
    const said = secrets.join(' ');
    phase = await startPhase((asked) =>
      JSON.parse(
        JSON.stringify(sampleAnswers[asked]).replace(/合計に数量を反映する|テストの配置|一般的な配置/g, said),
      ),
    );
    const redactOutgoing = (text: string) =>
      secrets.reduce((rest, one) => rest.replaceAll(one, '[REDACTED]'), text);
    await phase
      .createManager({ secretFilters: { redactOutgoing }, notifications: { assumption: true } })
      .execute({ request });
    const notices = phase.events.flatMap(({ notice }) => notice ?? []);
    expect(notices.filter((notice) => notice.includes('[REDACTED] [REDACTED]')).length).toBeGreaterThan(3);
    expect(notices.join('\n')).not.toMatch(/1word|ghi/);
  });
});
