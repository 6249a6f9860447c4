// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { editConfig, hangUp } from '../support/edit-config.ts';
import { answerScript } from '../support/fix-script.ts';
import type { Forge, ForgeName } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const lists = { github: 'repositories', gitlab: 'projects' } as const;

/** Owners' hands on the repositories of a forge. */
interface Owners {
  readonly archive: (path: string) => void;
  readonly move: (path: string, to: string) => Promise<void>;
  /** From now on, nobody is told what there is. */
  readonly refuseLists: () => void;
  /** Number of questions for what there is. */
  readonly listCount: () => number;
}

const listPaths = { github: /^\/user\/repos/, gitlab: /\/groups\/acme\/projects/ } as const;

function ownersOf(forge: Forge): Owners {
  const { simulator } = forge as GitHubForge | GitLabForge;
  const path = listPaths[forge.name];
  const shared = {
    refuseLists: () => simulator.fail({ method: 'GET', path, kind: 'unauthorized', times: 10_000 }),
    listCount: () => simulator.requests.filter((request) => path.test(request.path)).length,
  };
  if ('moveRepository' in simulator)
    return {
      ...shared,
      archive: (repo) => simulator.changeRepository(repo, { archived: true }),
      move: (repo, to) => simulator.moveRepository(repo, to),
    };
  return {
    ...shared,
    archive: (project) => simulator.archiveProject(project),
    move: async (project, to) => simulator.moveProject(project, to),
  };
}

/** A forge whose owner acme has a shop, and a configuration that finds it by a pattern. */
async function prepare(name: ForgeName, section: Readonly<Record<string, unknown>> = {}) {
  const at = await startWorld({
    script: answerScript,
    forges: [name],
    config: { poll_interval_seconds: 0.2 },
  });
  world = at;
  const settings = { [lists[name]]: ['acme/*'], exclude: [], patterns: { refresh_seconds: 0.2 }, ...section };
  const changes = Object.entries(settings).map(([key, value]) => [`platforms.${name}.${key}`, value]);
  await editConfig(at.configFile, Object.fromEntries(changes));
  return { at, forge: at.forge, owners: ownersOf(at.forge) };
}

async function startDaemon({ configFile }: World): Promise<DaemonProcess> {
  const running = startDaemonProcess(configFile, { flags: ['--log-format', 'json'] });
  daemon = running;
  await running.printed(/"msg":"ready"/);
  return running;
}

async function stopDaemon(): Promise<void> {
  daemon?.child.kill('SIGTERM');
  await daemon?.exited;
  daemon = null;
}

const isDone = ({ labels }: { readonly labels: readonly string[] }) => labels.includes('coding agent done');
const workedOn = ({ thread }: Pick<Forge, 'thread'>, { reference }: { readonly reference: string }) =>
  until('the issue is worked on', () => isDone(thread(reference)));

describe.each(forgesToTry('github'))('a daemon on %s whose repositories are named by a pattern', (name) => {
  it("works in each that there is or appears, and in none that is excluded, archived or another owner's [NX-368, NX-371]", async () => {
    const { at, forge, owners } = await prepare(name, { exclude: ['acme/secret-*'] });
    const secret = await forge.addRepository('acme/secret-plans');
    const archived = await forge.addRepository('acme/archived');
    const elsewhere = await forge.addRepository('bob/shop');
    owners.archive('acme/archived');
    const left = [secret, archived, elsewhere].map((place) => ({ place, issue: place.openIssue(seed) }));
    const first = forge.openIssue(seed);
    await startDaemon(at);
    await workedOn(forge, first);
    const tools = await forge.addRepository('acme/tools');
    await workedOn(tools, tools.openIssue(seed));
    for (const { place, issue } of left)
      expect(place.thread(issue.reference).labels).toEqual(['coding agent']);
    const { output } = await runDaemonCommand(at.configFile, ['status']);
    expect(output).toMatch(new RegExp(`${name}: acme/\\* matches 2 repositories \\(checked \\d+s ago\\)`));
    expect((await runDaemonCommand(at.configFile, ['doctor'])).output).toContain(
      'acme/* matches 2 repositories',
    );
  });

  it('follows one that is renamed, and begins nothing in one that is archived [NX-374]', {
    tags: ['full'],
  }, async () => {
    const { at, forge, owners } = await prepare(name);
    const tools = await forge.addRepository('acme/tools');
    const running = await startDaemon(at);
    await workedOn(tools, tools.openIssue(seed));
    await owners.move('acme/tools', 'acme/utilities');
    await running.printed(/acme\/tools → acme\/utilities/);
    const renamed = forge.repositoryAt('acme/utilities');
    await workedOn(renamed, renamed.openIssue(seed));
    owners.archive('acme/utilities');
    await running.printed(/"gone":\["acme\/utilities"\]/);
    const left = renamed.openIssue(seed);
    await workedOn(forge, forge.openIssue(seed));
    expect(renamed.thread(left.reference).labels).toEqual(['coding agent']);
  });

  it('works on in those that it knew where nobody is told what there is, also after a restart, and says so [NX-370]', {
    tags: ['full'],
  }, async () => {
    const { at, forge, owners } = await prepare(name);
    await startDaemon(at);
    await workedOn(forge, forge.openIssue(seed));
    owners.refuseLists();
    await until('status says it', async () => {
      const { output } = await runDaemonCommand(at.configFile, ['status']);
      return output.includes(`repository ${name}/acme/*`);
    });
    await stopDaemon();
    await startDaemon(at);
    const asked = owners.listCount();
    await workedOn(forge, forge.openIssue(seed));
    expect(owners.listCount()).toBeGreaterThan(asked);
  });

  it('asks anew when its configuration is read again, whatever the time [NX-372]', {
    tags: ['full'],
  }, async () => {
    const { at, forge } = await prepare(name, { patterns: { refresh_seconds: 86_400 } });
    const running = await startDaemon(at);
    await workedOn(forge, forge.openIssue(seed));
    const tools = await forge.addRepository('acme/tools');
    const issue = tools.openIssue(seed);
    expect(await hangUp(running)).toContain('"changed":[]');
    await workedOn(tools, issue);
  });

  it('works in the oldest where there are more than it may, and doctor and status say what to do [NX-373]', {
    tags: ['full'],
  }, async () => {
    const { at, forge } = await prepare(name, { patterns: { max: 1 } });
    const tools = await forge.addRepository('acme/tools');
    const left = tools.openIssue(seed);
    await startDaemon(at);
    await workedOn(forge, forge.openIssue(seed));
    const said = `acme/* matches 2 repositories, but platforms.${name}.patterns.max is 1`;
    for (const command of ['status', 'doctor'])
      expect((await runDaemonCommand(at.configFile, [command])).output).toContain(said);
    expect(tools.thread(left.reference).labels).toEqual(['coding agent']);
  });
});
