import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseConfig } from './load-config.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Guides whose YAML is the daemon's; that of the simulators describes their worlds. */
const guides = readdirSync(`${root}docs/guides`)
  .filter((name) => name.endsWith('.md') && name !== 'simulators.md')
  .map((name) => `docs/guides/${name}`);

/** Blocks of a document that are marked as YAML, each under the number of the line that it begins at. */
function listBlocks(document: string): readonly (readonly [place: string, block: string])[] {
  const text = readFileSync(root + document, 'utf8');
  return [...text.matchAll(/^ *```ya?ml\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: block = '' }) => [
    `${document}:${text.slice(0, index).split('\n').length}`,
    block,
  ]);
}

const blocks = ['README.md', 'SECURITY.md', 'apps/daemon/README.md', ...guides].flatMap(listBlocks);

/** A section alone is shown without the platforms, which every configuration has to name. */
const platforms = { github: { repositories: ['acme/shop'] } };

it('finds configurations in the documents', () => {
  expect(blocks.length).toBeGreaterThan(6);
});

it.each(blocks)('the configuration that stands in %s is a valid one [NX-235]', (place, block) => {
  expect(parseConfig(stringify({ platforms, ...parse(block) }), place)).toHaveProperty('platforms');
});
