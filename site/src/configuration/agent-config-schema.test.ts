import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../list-pages.ts';
import { describeConfig } from './describe-config.ts';
import { formatReference } from './format-reference.ts';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const readme = read('apps/daemon/README.md');
const schema = describeConfig(readme);
const file = 'apps/daemon/agent.config.schema.json';

/** Guides whose YAML is the daemon's; that of the simulators describes their worlds. */
const guides = readdirSync(join(repositoryRoot, 'docs/guides'))
  .filter((name) => name.endsWith('.md') && name !== 'simulators.md')
  .map((name) => `docs/guides/${name}`);
const blocks = ['README.md', 'SECURITY.md', 'apps/daemon/README.md', ...guides].flatMap((document) =>
  [...read(document).matchAll(/^ *```ya?ml\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: block = '' }, index) => [`${document} (${index + 1})`, block] as const,
  ),
);

/** A reader of JSON Schemas that has nothing of ours but the schema's text. */
const reader = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));
const accepts = (config: object) =>
  reader.safeParse({ platforms: { github: { repositories: ['acme/shop'] } }, ...config }).success;

describe('agent.config.schema.json', () => {
  it('is what the schema and the table of settings say; `npm run test:unit -- site/src/configuration --update=all` renews it [NX-385]', async () => {
    await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot(join(repositoryRoot, file));
  });

  it.each(blocks)('accepts the configuration that stands in %s [NX-385]', (_, block) => {
    expect(accepts(parse(block) ?? {})).toBe(true);
  });

  it('refuses unknown keys and values out of range, at any depth', () => {
    expect(accepts({ log: { level: 'debug' }, limits: { max_cost: 5 } })).toBe(true);
    expect(accepts({ log: { levle: 'debug' } })).toBe(false);
    expect(accepts({ concurrency: 0 })).toBe(false);
    expect(accepts({ limits: { max_cost: { runn: 5 } } })).toBe(false);
    expect(accepts({ mcp_servers: { docs: { command: 5 } } })).toBe(false);
  });

  it('says beside each key what it means', () => {
    expect(schema.properties?.concurrency?.description).toBe('pause between two looks; tasks at once');
    expect(schema.properties?.log?.properties?.level?.description).toContain('debug');
  });
});

it('writes every key once with type, default and meaning [NX-385]', () => {
  const page = formatReference(schema, readme);
  expect(page).toContain('| `concurrency` | whole number, 1 to 100 | `2` |');
  expect(page).toContain('| `log.level` | `debug`, `info`, `warn`, `error` | `info` |');
  const keys = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(150);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
