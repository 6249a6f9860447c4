import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { plantVariable } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { moneyPlants } from './plants.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const [runs, timeout] = ['30', 1_200_000];

describe('the checker of the households finds', () => {
  it.each(moneyPlants)('what is planted: $name', { timeout }, async ({ changes, only, place, says }) => {
    const flags = ['--place', place, '--only', `${only}`];
    const said = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        ['--conditions=@agent/source', main, runs, ...flags],
        {
          env: { ...process.env, [plantVariable]: JSON.stringify(changes), NODE_DISABLE_COMPILE_CACHE: '1' },
          maxBuffer: 50_000_000,
        },
        (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
      );
    });
    expect(said).toMatch(says);
  });
});
