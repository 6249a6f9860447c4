// @module-tag full
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';
import { repositoryRoot } from '../workspace/root.ts';
import { runIn } from './create-project.ts';
import { fetchRuntime } from './fetch-runtime.ts';
import { measureInstalled, type Newcomer, otherAccount, welcomeNewcomer } from './newcomer.ts';
import { toLowestVersion } from './published-ranges.ts';

const SETUP_TIMEOUT_MS = 300_000;
/** The newest Node when this was last looked after. */
const newestNode = '26.10.0';

/** `npm run test:full` tries the lowest Node, and `npm run test:release` the newest, too. */
const isRelease = process.env.TEST_RELEASE === '1';

const members = listPublishablePackages();
const apps = members.filter(({ folder }) => folder.startsWith('apps/'));
const lowestNode = toLowestVersion(apps[0]?.manifest.engines?.node ?? '');
const workbench = mkdtempSync(join(tmpdir(), 'agent-newcomer-'));
/** Tarballs by the names of their packages. */
const tarballs = new Map<string, string>();
const tarballsOf = (...names: string[]): string[] =>
  names.map((name) => tarballs.get(`@agent/${name}`) ?? '');

const nodes = await Promise.all(
  (isRelease ? [lowestNode, newestNode] : [lowestNode]).map(async (version) => ({
    version,
    program: await fetchRuntime('node', version).catch((error: Error) => error),
  })),
);

beforeAll(async () => {
  await runIn(repositoryRoot, ['turbo', 'run', 'build', '--output-logs=errors-only']);
  chmodSync(workbench, 0o755);
  for (const { folder, manifest } of members) {
    const tarball = await packPackage(folder, workbench);
    chmodSync(tarball, 0o644);
    tarballs.set(manifest.name, tarball);
  }
}, SETUP_TIMEOUT_MS);

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

/** Brings what plain npm installs into the empty directory; the tarballs stand for the names on a registry. */
async function install({ run }: Newcomer, ...names: string[]): Promise<void> {
  await run(['npm', 'install', '--no-audit', '--no-fund', ...tarballsOf(...names)]);
}

/** What is used of the module that came with the simulators' tarball. */
interface Demo {
  readonly prepareDemonstration: () => Promise<{
    readonly configuration: {
      readonly platforms: { readonly github: { readonly base_url: string } };
      readonly llm: { readonly base_url: string };
      readonly tools: object;
      readonly http: object;
    };
    readonly environment: Readonly<Record<string, string>>;
    readonly result: () => { readonly isFinished: boolean };
    readonly close: () => Promise<void>;
  }>;
}

const accounts = [
  ['this account', null],
  ...(otherAccount === null ? [] : ([['an account that owns nothing', otherAccount]] as const)),
] as const;

/** Says whether bubblewrap works for the account that has least. */
const keepsIn = ((): boolean => {
  const identity = otherAccount === null ? {} : { uid: otherAccount, gid: otherAccount };
  return spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], identity).status === 0;
})();

/** Links what the daemon and npx need, and so no bubblewrap, into a folder that is to be the whole PATH. */
function linkPrograms(node: string, folder: string): string {
  const places = [dirname(node), ...(process.env.PATH ?? '').split(':')];
  mkdirSync(folder);
  for (const name of ['node', 'npx', 'git', 'sh']) {
    const found = places.map((place) => join(place, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  return folder;
}

/** Before a release both accounts, otherwise the one that owns nothing, where it can be had. */
const triedAccounts = isRelease ? accounts : accounts.slice(-1);

describe.each(nodes)('a newcomer with Node $version', ({ version, program }) => {
  if (typeof program !== 'string') {
    it(`NOT SHOWN HERE, Node ${version} could not be fetched: the path of a newcomer on it`, () => {
      expect(program.message).not.toBe('');
    });
    return;
  }

  it.each(triedAccounts)(
    'sees a finished demonstration from empty caches, as %s [NX-377]',
    { tags: ['release'] },
    async (who, account) => {
      const newcomer = welcomeNewcomer({ workbench, node: program, account });
      const begun = performance.now();
      await install(newcomer, 'daemon', 'simulators');
      const installed = performance.now();
      const said = await newcomer.run(['npx', '--no-install', 'agent-daemon', 'demo']);
      expect(said).toContain('the issue is finished, and a draft pull request');
      const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);
      const took = `${((installed - begun) / 1000).toFixed(1)} s to install, ${seconds(begun)} s in all`;
      console.log(`Node ${version}, ${who}: first finished demonstration from empty caches: ${took}.`);
      newcomer.leave();
    },
  );

  it.each(triedAccounts)(
    'writes a configuration, has it examined and runs it, as %s [NX-377]',
    { tags: ['release'] },
    async (_who, account) => {
      const newcomer = welcomeNewcomer({ workbench, node: program, account });
      const { folder, run } = newcomer;
      await install(newcomer, 'daemon');
      const demo = join(repositoryRoot, 'packages', 'simulators', 'dist', 'demo', 'index.js');
      const { prepareDemonstration } = (await import(pathToFileURL(demo).href)) as Demo;
      const { configuration, environment, result, close } = await prepareDemonstration();
      onTestFinished(close);
      const { platforms, llm, tools, http } = configuration;
      const addresses = ['--base-url', platforms.github.base_url, '--llm-base-url', llm.base_url];
      const answers = ['--repository', 'corner-shop/price-list', '--model', 'scripted-model', ...addresses];
      await run(['npx', '--no-install', 'agent-daemon', 'init', ...answers, '--yes']);
      const config = join(folder, 'agent.config.yaml');
      // Commands without a sandbox, as in the demonstration: not every machine that tests has one.
      const written = readFileSync(config, 'utf8').replace(/^(tools|http):\n(?: .*\n)*/gm, '');
      writeFileSync(config, `${written}\ntools: ${JSON.stringify(tools)}\nhttp: ${JSON.stringify(http)}\n`);
      const examined = await run(['npx', '--no-install', 'agent-daemon', 'doctor'], environment);
      expect(examined).toContain('corner-shop/price-list');
      await run(['npx', '--no-install', 'agent-daemon', 'run', '--once'], environment);
      expect(result().isFinished).toBe(true);
      await close();
      newcomer.leave();
    },
  );

  it.each(triedAccounts)(
    `${keepsIn ? '' : 'NOT SHOWN HERE, bubblewrap does not work: '}has an untouched configuration work, or is told in one sentence what to do, as %s [NX-411]`,
    async (_who, account) => {
      const newcomer = welcomeNewcomer({ workbench, node: program, account });
      const { folder, run } = newcomer;
      await install(newcomer, 'daemon');
      const demo = join(repositoryRoot, 'packages', 'simulators', 'dist', 'demo', 'index.js');
      const { prepareDemonstration } = (await import(pathToFileURL(demo).href)) as Demo;
      const { configuration, environment, result, close } = await prepareDemonstration();
      onTestFinished(close);
      const { platforms, llm } = configuration;
      const addresses = ['--base-url', platforms.github.base_url, '--llm-base-url', llm.base_url];
      const answers = ['--repository', 'corner-shop/price-list', '--model', 'scripted-model', ...addresses];
      const daemon = (args: readonly string[], more = {}): Promise<string> =>
        run(['npx', '--no-install', 'agent-daemon', ...args], { ...environment, ...more });
      const isRoot = (account ?? process.getuid?.()) === 0;

      const bare = { PATH: linkPrograms(program, join(dirname(folder), 'bin')) };
      const said = await daemon(['init', ...answers, '--yes'], bare);
      expect(said).toContain('install the package bubblewrap');
      expect(said.includes('You are root')).toBe(isRoot);
      for (const command of [['doctor'], ['run', '--once']]) {
        const refused = await daemon(command, bare).catch((error: Error) => error.message);
        expect(refused).toMatch(
          /bubblewrap \(bwrap\) is not installed.*?install (the package )?bubblewrap/is,
        );
        expect(refused.includes('set tools.run_command.allow_root: true')).toBe(isRoot);
        expect(refused).not.toMatch(/^ +at /m);
      }

      if (!keepsIn) return newcomer.leave();
      const again = await daemon(['init', ...answers, '--yes', '--force']);
      expect(again).not.toContain('bubblewrap');
      expect(again.includes('You are root')).toBe(isRoot);
      if (isRoot) {
        await expect(daemon(['run', '--once'])).rejects.toThrow('set tools.run_command.allow_root: true');
        const config = join(folder, 'agent.config.yaml');
        const written = readFileSync(config, 'utf8');
        writeFileSync(config, written.replace('# allow_root: true', 'allow_root: true'));
      }
      expect(await daemon(['doctor'])).toContain('commands run in bubblewrap');
      await daemon(['run', '--once']);
      expect(result().isFinished).toBe(true);
      await close();
      newcomer.leave();
    },
  );

  it.each(triedAccounts)(
    'is told by the bot and the server of comments what they need, as %s [NX-377]',
    async (_who, account) => {
      const newcomer = welcomeNewcomer({ workbench, node: program, account });
      await install(newcomer, 'discord', 'mcp');
      await expect(newcomer.run(['npx', '--no-install', 'agent-discord'])).rejects.toThrow('DISCORD_TOKEN');
      await expect(newcomer.run(['npx', '--no-install', 'agent-comments-mcp'])).rejects.toThrow('--thread');
      newcomer.leave();
    },
  );

  it('loads every library of ours from one installation by plain npm [NX-377]', {
    tags: ['release'],
  }, async () => {
    const newcomer = welcomeNewcomer({ workbench, node: program, account: null });
    const libraries = members.filter(({ manifest }) => manifest.exports !== undefined);
    await install(newcomer, ...libraries.map(({ manifest }) => manifest.name.replace('@agent/', '')));
    const imports = libraries.map(({ manifest }) => `await import('${manifest.name}');`).join('\n');
    await newcomer.run(['npm', 'install', '--no-audit', '--no-fund', 'ai']);
    await newcomer.run(['node', '--input-type=module', '--eval', imports]);
    newcomer.leave();
  });
});

describe('the daemon by itself', () => {
  const program = nodes.map((one) => one.program).find((one) => typeof one === 'string') ?? process.execPath;

  it('is light: one bundle, and what locks files [NX-379]', async () => {
    const newcomer = welcomeNewcomer({ workbench, node: program, account: null });
    await install(newcomer, 'daemon');
    const { packages, bytes } = measureInstalled(newcomer.folder);
    console.log(`npm install @agent/daemon: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB.`);
    expect(packages).toBeLessThanOrEqual(10);
    expect(bytes).toBeLessThan(10e6);
    newcomer.leave();
  });

  it('names the command that brings what a demonstration lacks [NX-379]', async () => {
    const newcomer = welcomeNewcomer({ workbench, node: program, account: null });
    await install(newcomer, 'daemon');
    expect(existsSync(join(newcomer.folder, 'node_modules/@agent/simulators'))).toBe(false);
    const demo = newcomer.run(['npx', '--no-install', 'agent-daemon', 'demo']);
    await expect(demo).rejects.toThrow('npm install @agent/simulators');
    newcomer.leave();
  });
});
