import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { plantVariable } from '@agent/simulators/plants';
import { describe, expect, it } from 'vitest';
import { followUpPlants } from './plants.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const preload = here('../../../../../simulators/src/plants/plant-preload.ts');

describe('the checker of the trials finds', () => {
  it.each(followUpPlants)(
    'what is planted: $name',
    { timeout: 1_200_000 },
    async ({ changes, trial, says }) => {
      const flags = ['--calm', '--only', `${trial}`];
      const said = await new Promise<string>((resolve) => {
        execFile(
          process.execPath,
          ['--conditions=@agent/source', '--import', preload, here('main.ts'), '28', ...flags],
          {
            env: {
              ...process.env,
              [plantVariable]: JSON.stringify(changes),
              NODE_DISABLE_COMPILE_CACHE: '1',
            },
          },
          (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
        );
      });
      expect(said).toMatch(says);
    },
  );
});
