// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/rehearse/texts.en.ts';
import { type RehearsalBed, startRehearsalBed } from './rehearsal-bed.ts';

const { fixesByCause } = en;

let bed: RehearsalBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

describe('agent-daemon rehearse', () => {
  it('gives the instruction for a run that ended early, and skips the crash', async () => {
    bed = await startRehearsalBed({ forge: 'github', config: { limits: { max_steps: 6 } } });
    const { output } = await bed.rehearse();
    expect(bed.checkOf('pause'), output).toMatchObject({
      status: 'failed',
      fix: fixesByCause.ended,
      url: null,
    });
    expect(bed.statusOf('crash'), output).toBe('skipped');
    expect(bed.checkOf('draft'), output).toMatchObject({ fix: fixesByCause.endedWithoutDraft, url: null });
    expect(bed.checkOf('draft')?.text).toContain('6');
  });

  it('gives the instruction for a daemon that exited', async () => {
    bed = await startRehearsalBed({ forge: 'github' });
    const program = 'console.error("no disk"); process.exit(3);';
    const { output } = await bed.rehearse({}, { command: [process.execPath, '-e', program, '--'] });
    expect(bed.checkOf('start'), output).toMatchObject({
      ...{ status: 'failed', fix: fixesByCause.daemonExited, url: null },
      text: expect.stringContaining('no disk'),
    });
  });
});
