import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMarkdownFiles } from '../house/markdown-files.ts';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { listDocumentCommands } from './document-commands.ts';
import { findStale, findUntried } from './find-untried.ts';
import { triedCommands } from './tried-commands.ts';
import { untriedCommands } from './untried-commands.ts';

/** Leaves out decisions, requirements and changesets. */
const isForReaders = ([path]: readonly [string, string]): boolean =>
  !/^(docs\/decisions\/|docs\/requirements\.md$|\.changeset\/|\.github\/)|CHANGELOG\.md$/.test(path);

const documents = new Map([...readMarkdownFiles(repositoryRoot)].filter(isForReaders));
const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const known = { tried: triedCommands, untried: untriedCommands };

describe('the commands in documents', () => {
  const commands = listDocumentCommands(documents);

  it('are each run by a test or the CI, or listed with the reason why not [NX-375]', () => {
    expect(commands.length).toBeGreaterThan(100);
    expect(findUntried(commands, known)).toEqual([]);
  });

  it('are each listed as untried only as long as a document has them and no test runs them [NX-375]', () => {
    expect(findStale(commands, known)).toEqual([]);
    expect(untriedCommands.filter(([, reason]) => reason === '')).toEqual([]);
  });

  it.each(triedCommands)('`%s` is in the file that is named to run it [NX-375]', (_command, file, does) => {
    expect(read(file)).toContain(does);
  });

  it('name scripts that a package.json here has [NX-375]', () => {
    const folders = ['.', ...listPublishablePackages().map(({ folder }) => folder)];
    const scripts = folders.flatMap((folder) =>
      Object.keys(JSON.parse(read(`${folder}/package.json`)).scripts),
    );
    const unknown = commands.filter(({ command }) => {
      const [, name] = /^npm run ([\w:-]+)/.exec(command) ?? [];
      return name !== undefined && !scripts.includes(name);
    });
    expect(unknown).toEqual([]);
  });
});

describe('findUntried', () => {
  const lists = {
    tried: [['agent-daemon show RUN', 'a.test.ts', 'show']],
    untried: [['fly TO', 'it has no wings']],
  } as const;
  const find = (text: string): readonly string[] =>
    findUntried(listDocumentCommands(new Map([['guide.md', text]])), lists);

  it.each([
    ['in a block, with a comment', '```sh\nagent-daemon fly   # over all\n```\n', 'agent-daemon fly'],
    ['over two lines', '```sh\nagent-daemon \\\n  fly\n```\n', 'agent-daemon fly'],
    ['behind another command', '```bash\ncd /tmp && npx agent-daemon fly\n```\n', 'agent-daemon fly'],
    ['of the checkout', 'Say `npm run daemon -- fly` now.', 'agent-daemon fly'],
    ['in a table', '| a |\n|---|\n| `npm run fly` |\n', 'npm run fly'],
    ['with an option of its own', 'Say `agent-daemon show 3f --wings`.', 'agent-daemon show 3f --wings'],
    ['behind variables', '```sh\nA_B=1 npm start\n```\n', 'A_B= npm start'],
    ['in a block of an item', '1. Fly.\n\n   ```sh\n   walk\n   ```\n', 'walk'],
    ['that is shorter than the listed one', '```sh\nfly\n```\n', 'fly'],
  ])('finds a command %s [NX-375]', (_where, text, command) => {
    expect(find(text)).toEqual([expect.stringContaining(`: ${command}: `)]);
  });

  it.each([
    [
      'that a test runs',
      '```sh\nagent-daemon show 3f   # shows\nNAME=value\n```\n\nAnd `agent-daemon show`.',
    ],
    ['that is listed with a reason', '```sh\nfly home --fast\n```\n'],
  ])('accepts a command %s [NX-375]', (_which, text) => {
    expect(find(text)).toEqual([]);
  });

  it('says what to do [NX-375]', () => {
    const [found] = find('Say `npm run fly`.');
    expect(found).toMatch(/^guide\.md:1: npm run fly: no test runs this command/);
    expect(found).toContain('scripts/commands/tried-commands.ts');
    expect(found).toContain('scripts/commands/untried-commands.ts');
  });
});

describe('findStale', () => {
  const tried = [['walk', 'a.test.ts', 'walk']] as const;
  const stale = (text: string): readonly string[] =>
    findStale(listDocumentCommands(new Map([['guide.md', text]])), {
      tried,
      untried: [
        ['fly TO', 'it has no wings'],
        ['walk', 'it has no legs'],
      ],
    });

  it('finds an entry that no document has, and one that a test runs [NX-375]', () => {
    expect(stale('```sh\nfly home\nwalk\n```\n')).toEqual([expect.stringMatching(/^walk: /)]);
    expect(stale('')).toHaveLength(2);
  });
});
