// @module-tag full
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { runIn } from './create-project.ts';
import { fetchRuntime, type Runtime } from './fetch-runtime.ts';
import { installLowest } from './install-lowest.ts';

const SETUP_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;

/** Runtimes, each with the arguments that come before a program. */
const runtimes: readonly {
  readonly name: Runtime;
  readonly version: string;
  readonly args: readonly string[];
}[] = [
  { name: 'node', version: '22.12.0', args: [] },
  { name: 'node', version: '26.10.0', args: [] },
  { name: 'bun', version: '1.4.5', args: [] },
  { name: 'deno', version: '2.9.6', args: ['run', '--allow-all', '--node-modules-dir=manual'] },
];

/** Programs of the guides: their files in `folder`, the first of which is run, and what they print. */
const programs = [
  {
    title: 'the guide to the coordinator',
    folder: 'examples/example-plan/src',
    files: ['play-coordinate.ts', 'coordinate.ts'],
    call: 'await playCoordinate(console.log);',
    expected: 'Outcome: completed\n',
  },
];

const libraries = listPublishablePackages().filter(({ manifest }) => manifest.exports !== undefined);
const workbench = mkdtempSync(join(tmpdir(), 'agent-runtimes-'));
const fetched = await Promise.all(
  runtimes.map(async (runtime) => ({
    ...runtime,
    program: await fetchRuntime(runtime.name, runtime.version).catch((error: Error) => error),
  })),
);
let project = '';

beforeAll(async () => {
  project = (await installLowest(libraries, workbench)).folder;
  for (const { folder, files, call } of programs) {
    for (const [index, file] of files.entries()) {
      const code = readFileSync(join(repositoryRoot, folder, file), 'utf8');
      const script = stripTypeScriptTypes(index === 0 ? `${code}\n${call}\n` : code);
      writeFileSync(
        join(project, toScriptName(file)),
        script.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.mjs'"),
      );
    }
  }
}, SETUP_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

describe.each(fetched)('$name $version', ({ name, version, program, args }) => {
  if (typeof program !== 'string') {
    it(`NOT SHOWN HERE, ${name} ${version} could not be fetched: guides on it`, () => {
      expect(program.message).not.toBe('');
    });
    return;
  }
  it.each(programs)(
    'runs $title with the packed libraries [NX-419]',
    async ({ files: [first = ''], expected }) => {
      expect(await runIn(project, [program, ...args, toScriptName(first)])).toContain(expected);
    },
    RUN_TIMEOUT_MS,
  );
});

function toScriptName(file: string): string {
  return file.replace(/\.ts$/, '.mjs');
}
