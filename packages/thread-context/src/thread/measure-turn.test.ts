import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measureTurn } from './measure-turn.ts';
import { type ThreadTurn, toChatTurn } from './ports.ts';
import { formatTurn } from './transcript-formatter.ts';

it('counts what the transcript then has, to the unit [TC-T11] [D4]', () => {
  const turns = fc.record({
    id: fc.constant('1'),
    name: fc.constantFrom(null, '', 'alice', '漢字'),
    text: fc.string({ unit: fc.constantFrom('a', '\n', ' ', '👍') }),
  });
  fc.assert(
    fc.property(turns, (turn: ThreadTurn) => {
      expect(measureTurn(turn)).toBe(formatTurn(toChatTurn(turn)).length);
    }),
  );
});
