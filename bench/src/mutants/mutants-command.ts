import { parseArgs } from 'node:util';
import { concerns, listArea, readSources } from './areas.ts';
import { formatVerdicts } from './format-verdicts.ts';
import { drawMutants, listMutants, type Mutant } from './list-mutants.ts';
import { runMutants } from './run-mutants.ts';

/** Milliseconds for one mutant. Contract suites take their time, and what is only slow must not count as stuck. */
const mutantMs = 180_000;

const usage = `npm run bench -- mutants --area NAME [options]
Changes the sources of an area at random places, one change at a time, and says which of them no unit test notices.

  --area NAME      ${concerns.join(', ')}, or a folder: packages/runner, packages/orchestrator/src/run; several times
  --count 200      how many changes an area gets
  --seed 14        the same seed draws the same changes from the same sources
  --minutes 20     for an area; what is not tried by then is counted as open`;

/** Runs `bench mutants`; resolves with the exit code: 0 when all areas could be tried, whatever survived. */
export async function runMutantsCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      area: { type: 'string', multiple: true, default: [] },
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '14' },
      minutes: { type: 'string', default: '20' },
    },
  });
  if (values.area.length === 0) {
    process.stderr.write(`${usage}\n`);
    return 1;
  }
  const sources = readSources();
  for (const area of values.area) {
    const all = listArea(area, sources).flatMap((file) => listMutants(file, sources.get(file) ?? ''));
    const mutants = drawMutants(all, { count: Number(values.count), seed: Number(values.seed) });
    process.stderr.write(`… ${area}: ${mutants.length} of ${all.length} mutants\n`);
    const outcomes = await runMutants(mutants, {
      mutantMs,
      totalMs: Number(values.minutes) * 60_000,
      onVerdict: createProgress(mutants.length),
    });
    process.stdout.write(`${formatVerdicts({ area, seed: values.seed, mutants, outcomes }, sources)}\n`);
  }
  return 0;
}

function createProgress(total: number): (mutant: Mutant, outcome: string) => void {
  let done = 0;
  return ({ file, line }, outcome) => {
    done += 1;
    process.stderr.write(`${done}/${total} ${outcome} ${file}:${line}\n`);
  };
}
