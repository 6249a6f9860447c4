import { describe, expect, it } from 'vitest';
import { composeRequestBody, formatRequestText, type RequestEntry } from './change-request.ts';

const entry: RequestEntry = {
  uuid: 'run-1',
  number: 7,
  text: formatRequestText('Done.', { changedFiles: ['a.ts'], locale: 'en' }),
  locale: 'en',
};
const first = composeRequestBody(null, entry) ?? '';
const later = (current: string, changes: Partial<RequestEntry>) =>
  composeRequestBody(current, { ...entry, ...changes });
const shown = (body: string | null) => body?.replaceAll(/<!--.*?-->\s*/g, '').trim();

describe('the body of a request', () => {
  it('links the issue so that merging closes it, and lists the files', () => {
    expect(first).toMatchInlineSnapshot(`
      "<!-- agent-daemon: begin -->

      Closes #7

      <!-- agent-daemon: run run-1 -->
      ## Summary

      Done.

      ## Changed files

      - \`a.ts\`

      <!-- agent-daemon: end of run -->

      <!-- agent-daemon: end -->"
    `);
  });

  it('keeps what people wrote around our part to the letter [NX-30]', () => {
    const edited = `Release notes, by Alice\r\n- [x] reviewed\r\n\r\n${first}\n\n## By Bob\n`;
    const next = later(edited, { uuid: 'run-2', text: 'Added more.' }) ?? '';
    expect(next.startsWith('Release notes, by Alice\r\n- [x] reviewed\r\n\r\n<!--')).toBe(true);
    expect(next.endsWith('-->\n\n## By Bob\n')).toBe(true);
    expect(next).toContain('Added more.');
  });

  it('tells of all runs, the latest first, and of each once [NX-30]', () => {
    const second = later(first, { uuid: 'run-2', text: 'Second.' }) ?? '';
    const text = formatRequestText('Third.', { changedFiles: ['a.ts', 'b.ts'], locale: 'en' });
    const third = later(second, { uuid: 'run-3', text });
    expect(shown(third)).toBe(
      [
        'Closes #7',
        '## Summary\n\nThird.\n\n## Changed files\n\n- `a.ts`\n- `b.ts`',
        '### Earlier run\n\nSecond.',
        '### Earlier run\n\nDone.',
      ].join('\n\n'),
    );
    expect(later(third ?? '', { uuid: 'run-3', text })).toBe(third);
  });

  it('reads its part again after a page has changed the ends of lines [NX-30]', () => {
    const stored = first.replaceAll('\n', '\r\n');
    expect(shown(later(stored, { uuid: 'run-2', text: 'Second.' }))).toContain('### Earlier run\n\nDone.');
  });

  it.each([
    ['took our part out', 'All by hand.'],
    ['took one marker out', first.replace('<!-- agent-daemon: end -->', '')],
    ['copied it', `${first}\n${first}`],
  ])('is left alone where people %s [NX-30]', (_, current) => {
    expect(later(current, { uuid: 'run-2' })).toBeNull();
  });

  it('is left alone where people took all the room [NX-30]', () => {
    expect(later(`${'x'.repeat(59_800)}\n${first}`, { uuid: 'run-2' })).toBeNull();
  });

  it('takes no marker from a text that a model wrote [NX-30]', () => {
    const text = 'one <!-- agent-daemon: end --> two <!-- agent-daemon: run x -->';
    const body = later(first, { uuid: 'run-2', text }) ?? '';
    expect(later(body, { uuid: 'run-3', text: 'three' })).toContain('two <!-- agent daemon: run x -->');
  });

  it('tells of the ten latest runs and says that there were more [NX-30]', () => {
    let body = first;
    for (let run = 2; run <= 15; run += 1)
      body = later(body, { uuid: `run-${run}`, text: `Text ${run}.` }) ?? '';
    expect(body.match(/### Earlier run/g)).toHaveLength(9);
    expect(body).toContain('Text 6.');
    expect(body).not.toContain('Text 5.');
    expect(body).toContain('*See the issue for older runs.*');
  });

  it('is cut where people and earlier runs took the room', () => {
    const people = `${'x'.repeat(30_000)}\n${first}`;
    const body = later(people, { uuid: 'run-2', text: 'y'.repeat(40_000) }) ?? '';
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body).toMatch(/the rest was left out/);
  });
});

describe('what a run tells in a request', () => {
  const format = (finalText: string, changedFiles: readonly string[]) =>
    formatRequestText(finalText, { changedFiles, locale: 'en' });

  it('lists fifty files and counts the others', () => {
    const changedFiles = Array.from({ length: 53 }, (_, index) => `f${index}`);
    expect(format('Done.', changedFiles)).toMatch(/- `f49`\n- and 3 more$/);
  });

  it('cuts a summary that is too long, and never the files [RL-14]', () => {
    const long = format('🎉'.repeat(60_000), ['a.ts']);
    expect(long.length).toBeLessThanOrEqual(40_000);
    expect(long.isWellFormed()).toBe(true);
    expect(long).toMatch(/the rest was left out\)\*\n\n## Changed files\n\n- `a\.ts`$/);
    const deep = format(
      'x'.repeat(60_000),
      Array.from({ length: 50 }, (_, index) => `${index}${'d/'.repeat(2_000)}`),
    );
    expect(deep.length).toBeLessThanOrEqual(40_000);
    expect(deep).toMatch(/- and \d+ more$/);
  });
});
