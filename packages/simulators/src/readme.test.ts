import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from './cli/run-cli.ts';
import { parseWorld } from './world/parse-world.ts';
import { startWorld } from './world/start-world.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The first block of a language in a document. */
async function readBlock(path: string, language: string): Promise<string> {
  const document = await readFile(join(folder, path), 'utf8');
  return new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(document)?.[1] ?? '';
}

/** The worlds in the guide. */
async function readWorlds(): Promise<string[]> {
  const guide = await readFile(join(folder, '../../docs/guides/simulators.md'), 'utf8');
  const blocks = [...guide.matchAll(/^( *)```yaml\n([\s\S]+?)\n *```/gm)];
  const texts = blocks.map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  return texts.filter((text) => text.startsWith('github:'));
}

it('runs the example of its README, as a program of its own', async () => {
  const example = await readBlock('README.md', 'ts');
  const options = ['--conditions=@agent/source', '--input-type=module-typescript', '--eval', example];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder });
  expect(stdout).toMatch(/^200 1 http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
});

it('plays the world of its guide by the command of its README [NX-391, NX-393]', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'simulators-readme-'));
  const seed = join(scratch, 'world.yaml');
  const [, example = ''] = await readWorlds();
  await writeFile(seed, example);
  const command = await readBlock('README.md', 'sh');
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const args = words.slice(2).map((word) => ({ '8080': '0', 'world.yaml': seed })[word] ?? word);
  let said = '';
  const print = (text: string) => {
    said += text;
  };
  const code = await runCli({ args, print, complain: print, ended: Promise.resolve() });
  await rm(scratch, { recursive: true });
  expect(said).toMatch(/^\{"github":"http:\/\/127\.0\.0\.1:\d+","admin":"http:\/\/127\.0\.0\.1:\d+"\}\n$/);
  expect(code).toBe(0);
});

it('names in its guide every kind of fault, and no other [NX-394]', async () => {
  const guide = await readFile(join(folder, '../../docs/guides/simulators.md'), 'utf8');
  const table = guide.slice(guide.indexOf('| of | kind |'), guide.indexOf('With `path`'));
  const kinds = [...table.matchAll(/^\|[^|]*\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.replace(/\([^)]*\)/g, '').matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind ?? ''),
  );
  const names = ['github', 'gitlab', 'discord', 'model'] as const;
  const told = new Set<string>();
  for (const name of names) {
    const refusal = await startWorld({ [name]: { faults: [{ kind: 'none of them' }] } }).catch(String);
    for (const [, kind = ''] of String(refusal).matchAll(/"([\w-]+)"/g)) told.add(kind);
  }
  expect([...told].sort()).toEqual([...new Set(kinds)].sort());
});

it('has worlds in its guide in which every section starts a simulator', async () => {
  const worlds = await readWorlds();
  expect(worlds).toHaveLength(2);
  for (const text of worlds) {
    const world = await startWorld(parseWorld(text));
    expect(Object.keys(world.urls())).toEqual(Object.keys(parse(text)));
    await world.close();
  }
});
