import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMarkdownFiles } from '../house/markdown-files.ts';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { listDocumentCommands } from './document-commands.ts';
import { findUntried } from './find-untried.ts';
import { triedCommands } from './tried-commands.ts';

/** Decisions are history, requirements have tests of their own, notes of a change are no documents. */
const isForReaders = ([path]: readonly [string, string]): boolean =>
  !/^(docs\/decisions\/|docs\/requirements\.md$|\.changeset\/|\.github\/)|CHANGELOG\.md$/.test(path);

const documents = new Map([...readMarkdownFiles(repositoryRoot)].filter(isForReaders));
const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

describe('the commands that documents tell', () => {
  const commands = listDocumentCommands(documents);

  it('are each run by a test or the CI, or the document says that they are not [NX-375]', () => {
    expect(commands.length).toBeGreaterThan(100);
    expect(findUntried(commands, triedCommands)).toEqual([]);
  });

  it.each(triedCommands)(
    '`%s` stands in the file that is said to run it [NX-375]',
    (_command, file, does) => {
      expect(read(file)).toContain(does);
    },
  );

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

describe('a document', () => {
  const tried = [['agent-daemon show RUN', 'a.test.ts', 'show']] as const;
  const untried = (text: string): readonly string[] =>
    findUntried(listDocumentCommands(new Map([['guide.md', text]])), tried);

  it.each([
    ['in a block, with a comment', '```sh\nagent-daemon fly   # over all\n```\n', 'agent-daemon fly'],
    ['over two lines', '```sh\nagent-daemon \\\n  fly\n```\n', 'agent-daemon fly'],
    ['behind another', '```bash\ncd /tmp && npx agent-daemon fly\n```\n', 'agent-daemon fly'],
    ['of the checkout', 'Say `npm run daemon -- fly` now.', 'agent-daemon fly'],
    ['in a table', '| a |\n|---|\n| `npm run fly` |\n', 'npm run fly'],
    ['with an option of its own', 'Say `agent-daemon show 3f --wings`.', 'agent-daemon show 3f --wings'],
    ['behind variables', '```sh\nA_B=1 npm start\n```\n', 'A_B= npm start'],
  ])('may tell no command that nothing runs, %s [NX-375]', (_where, text, command) => {
    expect(untried(text)).toEqual([expect.stringContaining(`: ${command}: `)]);
  });

  it.each([
    ['runs', '```sh\nagent-daemon show 3f   # shows\nNAME=value\n```\n\nAnd `agent-daemon show`.'],
    ['marks behind the block', '```sh\nfly\n```\n\nNot run by a test: it has no wings.\n'],
    [
      'marks behind the block of an item',
      '1. Fly.\n\n   ```sh\n   fly\n   ```\n\n   Not run by a test: no wings.\n',
    ],
    [
      'names anywhere on the page',
      'Say `npm run fly`.\n\n\nNot run by a test: `npm run fly`, for want of wings.\n',
    ],
    [
      'marks with the whole page',
      'No command of this page is run by a test: it is about birds.\n\n```sh\nfly\n```\n',
    ],
  ])('tells what a test %s [NX-375]', (_how, text) => {
    expect(untried(text)).toEqual([]);
  });

  it('says with a command that nothing runs what is to be done [NX-375]', () => {
    const [found] = untried('Say `npm run fly`.');
    expect(found).toMatch(/^guide\.md:1: npm run fly: nothing runs this command/);
    expect(found).toContain('scripts/commands/tried-commands.ts');
    expect(found).toContain('"Not run by a test: "');
  });
});
