import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import { trialClasses } from '../trial-classes.ts';
import { daemonBugs } from './daemon-bugs.ts';

const root = new URL('../../../../../', import.meta.url);
const readSource = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

const text = await readSource('docs/guarantees.md');

/** Names in code spans behind a word: courses `a`, `b`. */
function listNamed(word: RegExp): readonly string[] {
  const lists = text.matchAll(new RegExp(`${word.source} ((?:\`[^\`]+\`(?:, )?)+)`, 'g'));
  return [...lists].flatMap(([, list = '']) => [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

describe('what docs/guarantees.md names', () => {
  const tests = [...text.matchAll(/`([^`]+\.ts)` · "([^"]+)"/g)].map(
    ([, path = '', name = '']) => [path, name] as const,
  );

  it('is much', () => {
    expect(tests.length).toBeGreaterThan(20);
  });

  it.each(tests)('is a test: %s · %s [NX-115]', async (path, name) => {
    expect(await readSource(path)).toContain(name);
  });

  it('is a course, or a class of trials [NX-115]', () => {
    const known = [
      ...targetedTrials.map(({ targeted }) => targeted.name),
      ...trialClasses.map(({ name }) => name),
    ];
    const named = [...listNamed(/courses?/), ...listNamed(/of class/)];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is every plant, once or more [NX-115]', async () => {
    const bots = await readSource('apps/discord/test/kill/bot-bugs.ts');
    const inBots = [...bots.matchAll(/name: '(bot-[\w-]+)'/g)].map(([, name = '']) => name);
    const planted = [...daemonBugs.map(({ name }) => name), ...inBots];
    expect(new Set(listNamed(/plants?/))).toEqual(new Set(planted));
  });
});
