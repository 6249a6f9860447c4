import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { runIn } from './create-project.ts';
import { fetchNode } from './fetch-node.ts';
import { installLowest } from './install-lowest.ts';
import { toLowestVersion } from './published-ranges.ts';
import { readReadmeExample } from './readme-example.ts';

const SETUP_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 60_000;
/** The newest Node when this was last looked after. */
const newestNode = '26.10.0';

const libraries = listPublishablePackages().filter(({ manifest }) => manifest.exports !== undefined);
const lowestNode = toLowestVersion(libraries[0]?.manifest.engines?.node ?? '');
const workbench = mkdtempSync(join(tmpdir(), 'agent-nodes-'));
let together: string;

// Each is some hundred megabytes, which not every machine gets.
const nodes = await Promise.all(
  [lowestNode, newestNode].map(async (version) => ({
    version,
    program: await fetchNode(version).catch((error: Error) => error),
  })),
);

beforeAll(async () => {
  together = (await installLowest(libraries, workbench)).folder;
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
    'runs the README example of $manifest.name, with the lowest versions that it names [NX-53]',
    async ({ folder, manifest }) => {
      const file = `${manifest.name.replace('@agent/', '')}.mjs`;
      writeFileSync(join(together, file), stripTypeScriptTypes(readReadmeExample(folder)));
      expect(await runIn(together, [program, '--version'])).toBe(`v${version}\n`);
      expect(await runIn(together, [program, file])).not.toBe('');
    },
    RUN_TIMEOUT_MS,
  );
});
