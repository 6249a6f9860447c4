// @module-tag full
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { runIn } from './create-project.ts';
import { installAlone } from './install-alone.ts';
import { readPinnedVersions } from './pinned-versions.ts';

const TIMEOUT_MS = 240_000;
const sources = join(repositoryRoot, 'examples', 'example-fixtures', 'src');
const workbench = mkdtempSync(join(tmpdir(), 'agent-simulators-'));
let project = '';

beforeAll(async () => {
  await runIn(repositoryRoot, [
    'turbo',
    'run',
    'build',
    '--filter=@agent/simulators',
    '--output-logs=errors-only',
  ]);
  const simulators = listPublishablePackages().find(({ folder }) => folder === 'packages/simulators');
  if (simulators === undefined) throw new Error('The simulators are not published.');
  const files = readdirSync(sources).map(
    (name) => [name, readFileSync(join(sources, name), 'utf8')] as const,
  );
  const example = files.map(([, text]) => text).join('\n');
  project = await installAlone(simulators, { workbench, versions: readPinnedVersions(), example });
  for (const [name, text] of files) writeFileSync(join(project, name), text);
}, TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

it('gives the fixtures to the tests of a project that has the package from its tarball [NX-390, NX-395]', {
  tags: ['release'],
  timeout: TIMEOUT_MS,
}, async () => {
  await runIn(project, ['tsc', '-p', '.', '--allowImportingTsExtensions']);
  const report = await runIn(project, ['npx', 'vitest', 'run']);
  expect(report).toMatch(/Tests +4 passed \(4\)/);
});

it(
  'brings a program that plays, and a demonstration [NX-390, NX-391, NX-392]',
  async () => {
    const program = `
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { prepareDemonstration } from '@agent/simulators/demo';
    const child = spawn('node_modules/.bin/agent-simulators', ['all'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout, 'data');
    const { github } = JSON.parse(line);
    const issue = await (await fetch(github + '/repos/alice/shop/issues/1')).json();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    const demonstration = await prepareDemonstration();
    const { labels } = demonstration.result().issue;
    await demonstration.close();
    console.log(JSON.stringify({ title: issue.title, code, labels }));`;
    writeFileSync(join(project, 'program.mjs'), program);
    expect(JSON.parse(await runIn(project, ['node', 'program.mjs']))).toEqual({
      title: 'The sum is wrong',
      code: 0,
      labels: ['bug', 'coding agent'],
    });
  },
  TIMEOUT_MS,
);
