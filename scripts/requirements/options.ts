import { parseArgs } from 'node:util';
import type { Selection } from './select.ts';

export const usage = `npm run requirements -- [options]
Lists every requirement of docs/requirements.md with the tests that name it, by the results of the last run of all
tests (.reports/vitest.json, which \`npm test\` writes). Where there are none it runs all tests first.

  --family CC,RL       only these families; ids (RL-1) and ranges (CC-1..CC-3) may stand among them
  --ids RL-1,RL-8      the same, under the name that reads better
  --except CD-9,CD-10  leave these out
  --strict             exit code 1 when a behaviour has no passing test
  --run                run the tests first, even when .reports/vitest.json exists
  --help               this text`;

/** What was asked for on the command line. */
export interface RequirementsOptions {
  readonly selection: Selection;
  readonly isStrict: boolean;
  readonly runsTests: boolean;
  readonly isHelp: boolean;
}

/** @throws for options that do not exist. */
export function parseOptions(args: readonly string[]): RequirementsOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      family: { type: 'string', multiple: true },
      ids: { type: 'string', multiple: true },
      except: { type: 'string', multiple: true },
      strict: { type: 'boolean' },
      run: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  return {
    selection: {
      only: splitNames([...(values.family ?? []), ...(values.ids ?? [])]),
      except: splitNames(values.except ?? []),
    },
    isStrict: values.strict === true,
    runsTests: values.run === true,
    isHelp: values.help === true,
  };
}

function splitNames(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
