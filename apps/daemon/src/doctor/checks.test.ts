import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../../test/support/daemon-process.ts';
import { examine, startHealthyWorld } from '../../test/support/examination.ts';
import { repository, type World, type WorldOptions } from '../../test/support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startHealthyWorld(options);
  return world;
}

const problems = async (at: World) =>
  (await examine(at)).findings.filter(({ status }) => status !== 'ok').map(({ text }) => text);

const unprotected = `${repository}: the default branch main is not protected, so the agent's token can push to it`;
const noLabel = `${repository}: the label coding agent does not exist`;
const run_command = { sandbox: 'off', allow_root: true, allow: ['node', 'gradle-of-nobody'] };
const noProgram = 'tools.run_command.allow names programs that are not on PATH: gradle-of-nobody';

describe('doctor', () => {
  it('says that an account in trust does not exist, as a run does', async () => {
    const at = await start({ config: { trust: ['alice', 'alcie'] } });
    const { code, failed } = await examine(at);
    expect(code).toBe(1);
    expect(failed).toMatchObject([
      { area: 'trust', text: expect.stringMatching(/trust names "alcie", but/) },
    ]);
    await at.close();
    const right = await start({ config: { trust: ['alice'] } });
    const { findings } = await examine(right);
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'trust', status: 'ok', text: 'trust: all accounts exist: alice' }),
    );
  });

  it('says which programs in allow are missing, and that the default branch is open', async () => {
    const at = await start({ config: { tools: { run_command } } });
    expect(await problems(at)).toEqual(expect.arrayContaining([unprotected, noLabel, noProgram]));
    await at.gitHub.protectBranch(repository, 'main');
    expect(await problems(at)).not.toContain(unprotected);
  });

  it('says that the server has no GraphQL', async () => {
    const at = await start();
    at.gitHub.fail({ method: 'POST', path: '/graphql', kind: 'refused', status: 404 });
    const { failed } = await examine(at);
    expect(failed).toMatchObject([
      { area: 'github', text: 'the server does not answer GraphQL (HTTP 404), so no task can start' },
    ]);
  });

  it('checks every repository that patterns find, and names those that need something', {
    tags: ['full'],
  }, async () => {
    const at = await start({ section: { repositories: ['acme/*'] } });
    for (let number = 1; number <= 14; number += 1) {
      const name = `lib-${number}`;
      await at.gitHub.addRepository({ owner: 'acme', name, collaborators: { robot: 'write' } });
      if (number !== 13) await at.gitHub.protectBranch(`acme/${name}`, 'main');
    }
    await at.gitHub.protectBranch(repository, 'main');
    const { findings } = await examine(at);
    const told = findings.filter(({ text }) => text.startsWith('acme/')).map(({ text }) => text);
    expect(told).toContain(
      "acme/lib-13: the default branch main is not protected, so the agent's token can push to it",
    );
    expect(told.filter((text) => text.includes('is not protected'))).toHaveLength(1);
    const unlabeled = told.filter((text) => text.includes('the label coding agent does not exist'));
    expect(unlabeled).toEqual([expect.stringContaining('(The same in 14 more repositories: acme/')]);
  });
});

describe('a daemon at work', () => {
  it('logs once what doctor reports of platforms and settings, and writes nothing for it', async () => {
    const at = await start({ config: { tools: { run_command }, http: { port: 0 } } });
    daemon = startDaemonProcess(at.configFile, {
      flags: ['--log-format', 'json'],
      nodeArguments: quickWaits,
    });
    await daemon.printed(/gradle-of-nobody/);
    const told = daemon
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"found a problem"'))
      .map((line) => JSON.parse(line) as { readonly finding: string; readonly fix: string });
    expect(told.map(({ finding }) => finding)).toEqual([unprotected, noLabel, noProgram]);
    expect(told.every(({ fix }) => fix.length > 0)).toBe(true);
    const written = at.gitHub.requests.filter(
      ({ method, path }) => method !== 'GET' && !/\/(?:git-upload-pack|graphql)$/.test(path),
    );
    expect(written).toEqual([]);
  });

  it('checks ten of the repositories that patterns find, and logs how many it skipped', async () => {
    const at = await start({
      section: { repositories: [repository, 'acme/lib-*'] },
      config: { http: { port: 0 } },
    });
    for (let number = 1; number <= 13; number += 1)
      await at.gitHub.addRepository({
        owner: 'acme',
        name: `lib-${number}`,
        collaborators: { robot: 'write' },
      });
    daemon = startDaemonProcess(at.configFile, {
      flags: ['--log-format', 'json'],
      nodeArguments: quickWaits,
    });
    await daemon.printed(/skipped repositories in the check/);
    const lines = daemon
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(logged).toContainEqual(
      expect.objectContaining({
        area: 'github',
        count: 3,
        msg: 'skipped repositories in the check; run doctor to check all',
      }),
    );
    const open = logged.filter(({ finding }) => String(finding).includes('is not protected'));
    expect(open.map(({ finding }) => finding)).toEqual([
      expect.stringMatching(/\(The same in 10 more repositories: acme\/.+, …\)$/),
    ]);
  });
});
