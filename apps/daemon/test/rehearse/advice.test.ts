// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/rehearse/texts.en.ts';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

const { fixesByCause } = en;

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

describe('agent-daemon rehearse', () => {
  it('gives the instruction for a run that ended early, and skips the crash', async () => {
    fixture = await startRehearsalFixture({ forge: 'github', config: { limits: { max_steps: 6 } } });
    const { output } = await fixture.rehearse();
    expect(fixture.checkOf('pause'), output).toMatchObject({
      status: 'failed',
      fix: fixesByCause.ended,
      url: null,
    });
    expect(fixture.statusOf('crash'), output).toBe('skipped');
    expect(fixture.checkOf('draft'), output).toMatchObject({
      fix: fixesByCause.endedWithoutDraft,
      url: null,
    });
    expect(fixture.checkOf('draft')?.text).toContain('6');
  });

  it('gives the instruction for a daemon that exited', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const program = 'console.error("no disk"); process.exit(3);';
    const { output } = await fixture.rehearse({}, { command: [process.execPath, '-e', program, '--'] });
    expect(fixture.checkOf('start'), output).toMatchObject({
      ...{ status: 'failed', fix: fixesByCause.daemonExited, url: null },
      text: expect.stringContaining('no disk'),
    });
  });
});
