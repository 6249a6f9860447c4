import { measureClean } from '../clean/measure-clean.ts';
import type { Bench } from '../report.ts';
import { type FunctionTimes, toTextReport } from './text-report.ts';

const lengths = { short: 65_536, long: 1_048_576 };
const rounds = 3;

interface HostileText {
  readonly name: string;
  readonly make: (length: number) => string;
}

/** What `scripts/hostile` offers, which checks the same functions in a test. */
interface Hostile {
  readonly textFunctions: Readonly<Record<string, (text: string) => unknown>>;
  readonly hostileTexts: readonly HostileText[];
}

/** What each function that reads strangers' text takes for the worst of it. */
export const textBench: Bench = {
  name: 'text',
  run: async ({ onProgress }) => {
    const { textFunctions, hostileTexts } = await loadHostile();
    const times: FunctionTimes[] = [];
    for (const [name, run] of Object.entries(textFunctions)) {
      onProgress(name);
      let worst = { text: '', make: (_: number) => '', ms: -1 };
      for (const { name: text, make } of hostileTexts) {
        const { fastest: ms } = await measureClean(make(lengths.short), run, rounds);
        if (ms > worst.ms) worst = { text, make, ms };
      }
      const { fastest: longMs } = await measureClean(worst.make(lengths.long), run, rounds);
      times.push({ name, text: worst.text, shortMs: worst.ms, longMs });
    }
    return toTextReport(times, { texts: hostileTexts.length, longer: lengths.long / lengths.short });
  },
};

async function loadHostile(): Promise<Hostile> {
  const load = (name: string) => import(new URL(`../../../scripts/hostile/${name}.ts`, import.meta.url).href);
  return { ...(await load('text-functions')), ...(await load('hostile-texts')) };
}
