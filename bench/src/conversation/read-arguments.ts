import { parseArgs } from 'node:util';

/** What the bench is told on its command line. */
export interface ConversationArguments {
  readonly seed: number;
  readonly rounds: number;
  readonly file: string | null;
  readonly opencode: boolean;
  /** Part of the names of the programs that are measured; null for all. */
  readonly only: string | null;
}

/** Reads the arguments behind the bench's name. @throws {TypeError} which names the one that is wrong */
export function readArguments(args: readonly string[]): ConversationArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      file: { type: 'string' },
      only: { type: 'string' },
      opencode: { type: 'boolean', default: false },
    },
  });
  const [seed, rounds] = [Number(values.seed), Number(values.rounds)];
  if (!Number.isSafeInteger(seed) || seed < 0) throw new TypeError('--seed takes a whole number from 0.');
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new TypeError('--rounds takes a whole number from 1.');
  const { file = null, only = null, opencode } = values;
  return { seed, rounds, file, opencode, only };
}
