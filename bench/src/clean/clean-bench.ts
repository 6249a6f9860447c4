import { cleanUntrustedText } from '@agent/text';
import type { Bench } from '../report.ts';
import { type InputTimes, toCleanReport } from './clean-report.ts';
import { readCorpus, scoreCorpus } from './corpus.ts';
import { type CleanTime, measureClean, measureWithin } from './measure-clean.ts';
import { naiveClean } from './naive-clean.ts';
import { fill, makeRandomInputs, makeWorstInputs, type WorstInput } from './worst-inputs.ts';

const length = 262_144;
const rounds = 7;
const randomInputs = 150;
const naiveLimitMs = 2_000;

/** What cleaning takes out, leaves alone and costs, beside expressions in a row. */
export const cleanBench: Bench = {
  name: 'clean',
  run: async ({ onProgress }) => {
    const first = measureWithin(fill('a <!-- x --> `b` [c](d) ', length), ours, naiveLimitMs);
    if (first === null) throw new Error('The first call did not end within its time.');
    const corpus = await readCorpus();
    const scores = { ours: scoreCorpus(corpus, ours), naive: scoreCorpus(corpus, naiveClean) };
    onProgress('worst inputs');
    const worst: InputTimes[] = [];
    for (const input of makeWorstInputs(length)) worst.push(await compare(input));
    onProgress('inputs by chance');
    const random: (CleanTime & { readonly name: string })[] = [];
    for (const { name, text } of makeRandomInputs(randomInputs, length))
      random.push({ ...(await measureClean(text, ours, 3)), name });
    onProgress('honest texts');
    const prose = fill(`${corpus.honest.map(({ text }) => text).join('\n\n')}\n\n`, length);
    const times = {
      megabytes: Buffer.byteLength(prose) / 1_000_000,
      ours: await measureClean(prose, ours, rounds),
      naive: await measureClean(prose, naiveClean, rounds),
    };
    return toCleanReport({ scores, worst, random, first, prose: times, naiveLimitMs });
  },
};

function ours(text: string): string {
  return cleanUntrustedText(text).text;
}

async function compare({ name, text }: WorstInput): Promise<InputTimes> {
  return {
    name,
    ours: await measureClean(text, ours, rounds),
    naive: measureWithin(text, naiveClean, naiveLimitMs),
  };
}
