import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, sampleAnswers, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';
import type { NotificationOptions } from './pre-planning-options.ts';

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
