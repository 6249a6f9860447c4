import { describe, expect, it } from 'vitest';
import { parseInheritanceCommands } from '../../packages/context-inheritance/src/inheritance-commands.ts';
import { parseCommand } from '../../packages/orchestrator/src/inbox/commands.ts';
import { parseRejections } from '../../packages/pre-planning/src/phase/reject-assumptions.ts';
import { givenPlaces, otherPlaces } from '../../packages/text/test/command-places.ts';

/** Who obeys commands: what is written for one, and whether a body gives it. */
const users = [
  { written: '/stop', isGiven: (body: string) => parseCommand(body) === 'stop' },
  {
    written: '/fresh-start',
    isGiven: (body: string) => parseInheritanceCommands(body).includes('/fresh-start'),
  },
  {
    written: '/reject A2',
    isGiven: (body: string) => parseRejections(body).some(({ label }) => label === 'A2'),
  },
];

/** Where a second word makes no difference: it ends neither the word before it nor an address. */
const placesOfTwoWords = otherPlaces.filter(
  ([, body]) => /\$(?![^\s`])/.test(body) && !body.startsWith('[a]:'),
);

describe.each(users)('$written', ({ written, isGiven }) => {
  const spellings = [written, written.replace('/', '／'), written.toUpperCase()];
  const others = written.includes(' ') ? placesOfTwoWords : otherPlaces;

  it.each(givenPlaces)('is obeyed %s [NX-4]', (_, body) => {
    for (const spelling of spellings) expect(isGiven(body.replaceAll('$', spelling))).toBe(true);
  });

  it.each(others)('is ignored %s [NX-4]', (_, body) => {
    for (const spelling of spellings) expect(isGiven(body.replaceAll('$', spelling))).toBe(false);
  });
});
