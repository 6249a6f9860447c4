import { maxCostSchema } from '@agent/orchestrator/config';
import { modelPriceSchema } from '@agent/runner/models';
import { expect, it } from 'vitest';
import { checkPrices } from './check-settings.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

const named = (model: string) => ({ description: { model } });
const price = modelPriceSchema.parse({ input: 1, output: 4 });
/** Runs ask `large`, and `small` for summaries. */
const model = { ...named('large'), tasks: { summary: [named('small'), named('large')] } };

function examine(priced: readonly string[], limits: object): readonly Finding[] {
  const findings: Finding[] = [];
  checkPrices(
    { texts: en, report: (finding) => void findings.push(finding) },
    {
      ...{ model, limits: maxCostSchema.parse(limits) },
      prices: Object.fromEntries(priced.map((name) => [name, price])),
    },
  );
  return findings;
}

it.each([
  [['large', 'small'], { day: 5 }, [['ok', 'limits.max_cost limits']]],
  [['large', 'small'], { by_command: 5 }, [['ok', 'nothing limits']]],
  [[], {}, [['ok', 'costs are not tracked']]],
  [['large'], {}, [['warning', 'no price for small']]],
  [['large'], { run: 1 }, [['failed', 'no price for small, so no run can start']]],
  [[], { thread: 1 }, [['failed', 'no price for large, small, ']]],
  [
    ['large', 'smal'],
    { run: 1 },
    [
      ['failed', 'no price for small'],
      ['warning', 'a price for smal, which no run uses'],
    ],
  ],
] as const)('says of the prices %j with the limits %j what is missing [NX-197]', (priced, limits, said) => {
  const found = examine(priced, limits);
  expect(found.map(({ area, status }) => [area, status])).toEqual(said.map(([status]) => ['prices', status]));
  for (const [index, [status, words]] of said.entries()) {
    expect(found[index]?.text).toContain(words);
    expect(found[index]?.fix === null).toBe(status === 'ok');
  }
});
