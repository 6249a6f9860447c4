// @module-tag release
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { runIn } from './create-project.ts';
import { fetchRuntime } from './fetch-runtime.ts';
import { installAlone } from './install-alone.ts';
import { readLowestVersions } from './install-lowest.ts';
import { toLowestVersion } from './published-ranges.ts';
import { readReadmeExample } from './readme-example.ts';

const SETUP_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;
/** The newest Node when this was last looked after. */
const newestNode = '26.10.0';

const libraries = listPublishablePackages().filter(({ manifest }) => manifest.exports !== undefined);
const lowestNode = toLowestVersion(libraries[0]?.manifest.engines?.node ?? '');
const workbench = mkdtempSync(join(tmpdir(), 'agent-nodes-'));

// Each is some hundred megabytes, which not every machine gets.
const nodes = await Promise.all(
  [lowestNode, newestNode].map(async (version) => ({
    version,
    program: await fetchRuntime('node', version).catch((error: Error) => error),
  })),
);

/** Each library in a project of its own, by its name. */
const projects = new Map<string, string>();

beforeAll(async () => {
  await runIn(repositoryRoot, ['turbo', 'run', 'build', '--output-logs=errors-only']);
  const versions = readLowestVersions();
  for (const library of libraries) {
    const example = readReadmeExample(library.folder);
    const project = await installAlone(library, { workbench, versions, example });
    writeFileSync(join(project, 'example.mjs'), stripTypeScriptTypes(example));
    projects.set(library.folder, project);
  }
}, SETUP_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

describe.each(nodes)('Node $version', ({ version, program }) => {
  if (typeof program !== 'string') {
    it(`NOT SHOWN HERE, Node ${version} could not be fetched: README examples on it`, () => {
      expect(program.message).not.toBe('');
    });
    return;
  }
  it.each(libraries)(
    'runs the README example of $manifest.name, installed alone with the lowest versions that it names [NX-53]',
    async ({ folder }) => {
      const project = projects.get(folder) ?? '';
      expect(await runIn(project, [program, '--version'])).toBe(`v${version}\n`);
      expect(await runIn(project, [program, 'example.mjs'])).not.toBe('');
    },
    RUN_TIMEOUT_MS,
  );
});
