// @module-tag full
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { followSteps } from '@agent/simulators/model';
import { findSandbox, sandboxed } from '@agent/workspace/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts';
import { projectFiles, startWorld, type World } from '../support/world.ts';

const sandbox = await findSandbox();
const token = 'acme-registry-token-5f0c9d21';
let world: World;
let registry: PackageRegistry;

/** Install script of the package, which keeps what it sees: its environment, and the settings of npm in its home. */
const install = `const fs = require('fs'), path = require('path');
const read = (file) => { try { return fs.readFileSync(path.join(process.env.HOME, file), 'utf8'); } catch { return ''; } };
fs.writeFileSync('seen.json', JSON.stringify({ ...process.env, npmrc: read('.npmrc') }));`;

beforeEach(async () => {
  const manifest = {
    name: 'quantities',
    version: '1.0.0',
    main: 'index.js',
    scripts: { install: 'node install.js' },
  };
  const files = {
    'package.json': JSON.stringify(manifest),
    'index.js': 'exports.quantity = 3;\n',
    'install.js': install,
  };
  registry = await startPackageRegistry({ name: 'quantities', files }, { token });
});
afterEach(async () => {
  await world.close();
  await registry.close();
});

const shop = () => ({
  ...projectFiles,
  'package.json':
    '{ "name": "shop", "type": "module", "private": true, "dependencies": { "quantities": "1.0.0" } }\n',
  'package-lock.json': registry.lockFile,
  '.gitignore': 'node_modules\n',
  'total.test.js': (projectFiles['total.test.js'] ?? '')
    .replace('\n', "\nimport { quantity } from 'quantities';\n")
    .replace('quantity: 3', 'quantity'),
});

const environment = (change: object = {}) => ({
  repositories: ['*'],
  setup: { commands: ['npm ci --no-audit --no-fund --no-update-notifier'], keep: ['node_modules'] },
  network: 'off',
  registries: [{ name: 'acme', kind: 'npm', url: registry.url, token_env: 'ACME_NPM_TOKEN' }],
  ...change,
});

async function openWorld(mode: 'off' | 'required', change: object = {}): Promise<void> {
  world = await startWorld({
    // It looks for the login wherever a command could, before it works.
    script: followSteps([
      {
        toolCalls: [
          { name: 'run_command', input: { command: 'node', args: ['-e', 'console.log(process.env)'] } },
          { name: 'read_file', input: { path: 'node_modules/quantities/seen.json' } },
        ],
      },
      ...[0, 1, 2, 3, 4].map(
        () => (view: Parameters<typeof fixScript>[0]) =>
          fixScript({ ...view, exchanges: view.exchanges.slice(2) }),
      ),
    ]),
    files: shop(),
    config: {
      tools: { run_command: { allow: ['node'], sandbox: mode, allow_root: true } },
      environments: [environment(change)],
    },
  });
}

const label = (title: string) =>
  world.forge.openIssue({ title, body: 'It forgets the quantity.', labels: ['coding agent'] });

const runDaemon = () =>
  startDaemonProcess(world.configFile, { environment: { ACME_NPM_TOKEN: token } }).exited;

/** Files below a directory that hold a text. */
async function listHolding(directory: string, text: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true });
  const found: string[] = [];
  for (const name of names) {
    const path = join(directory, name);
    if ((await stat(path).catch(() => null))?.isFile() && (await readFile(path)).includes(text))
      found.push(name);
  }
  return found;
}

async function tellStory(mode: 'off' | 'required'): Promise<void> {
  await openWorld(mode);
  const first = label('The total is wrong');
  const exit = await runDaemon();
  expect(exit.output).toContain('set up worktree');
  const thread = world.forge.thread(first.reference);
  expect(thread.labels).toEqual(['coding agent done']);
  const report = thread.comments.at(-1)?.body;
  expect(report).toContain('total counts quantities now; the tests pass.');
  expect(report).toMatch(/### 🧰 Setup\n\n- `npm ci --no-audit --no-fund --no-update-notifier`: \d+ s/);
  expect(world.forge.changeRequests()).toHaveLength(1);
  expect(world.forge.changeRequests()[0]?.changeRequest?.draft).toBe(true);
  expect(registry.requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`]);

  // The next run gets what this one had installed, and asks nobody.
  const second = label('The total is wrong again');
  const again = await runDaemon();
  expect(world.forge.thread(second.reference).comments.at(-1)?.body).toContain('No command was run');
  expect(registry.requests).toHaveLength(1);

  expect(await listHolding(world.directory, 'AGENT_REGISTRY_ACME')).not.toEqual([]);
  for (const hidden of [token, Buffer.from(token).toString('base64').slice(0, 20)]) {
    expect(await listHolding(world.directory, hidden)).toEqual([]);
    expect(exit.output + again.output).not.toContain(hidden);
    expect(JSON.stringify([world.model.requests, world.forge.threads()])).not.toContain(hidden);
  }
}

it('a repository that needs a registry with a login goes from label to green draft, and nothing of it holds the login [NX-214]', async () => {
  await tellStory('off');
});

it(
  sandboxed('the same in bubblewrap, where commands have no other way to the network [NX-214]', sandbox),
  async () => {
    await tellStory(sandbox === null ? 'off' : 'required');
  },
);

it('a set-up that fails is told to people with the end of its output, and the work goes on [NX-212]', async () => {
  await openWorld('off', { setup: { commands: ['echo no such package; exit 7'] } });
  const { reference } = label('The total is wrong');
  await runDaemon();
  const comments = world.forge.thread(reference).comments.map(({ body }) => body);
  expect(comments.join('\n')).toContain('**The setup of this repository failed**');
  expect(comments.join('\n')).toContain('Exit code: 7\nno such package');
  expect(comments.at(-1)).toContain('**failed** (exit code 7)');
});

it('does not start where the secret of a registry is missing, and names its variable [NX-214]', async () => {
  await openWorld('off');
  const exit = await startDaemonProcess(world.configFile).exited;
  expect(exit.code).not.toBe(0);
  expect(exit.output).toContain('ACME_NPM_TOKEN must be set in the environment');
});
