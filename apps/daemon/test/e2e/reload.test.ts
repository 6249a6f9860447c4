import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { reloadableKeys } from '../../src/config/merge-reloaded.ts';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { editConfig, hangUp } from '../support/edit-config.ts';
import { answerScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const places = { github: 'platforms.github.repositories', gitlab: 'platforms.gitlab.projects' } as const;

async function start(options: Partial<WorldOptions> & { readonly forge?: ForgeName } = {}) {
  const { forge = 'github', config, ...others } = options;
  const at = await startWorld({
    script: answerScript,
    forges: [forge],
    ...others,
    config: { poll_interval_seconds: 0.2, ...config },
  });
  world = at;
  const running = startDaemonProcess(at.configFile, { flags: ['--log-format', 'json'] });
  daemon = running;
  await running.printed(/"msg":"ready"/);
  return { at, running, forge: at.forge };
}

const isDone = ({ labels }: { readonly labels: readonly string[] }) => labels.includes('coding agent done');

describe.each(forgesToTry('gitlab'))('a daemon on %s that gets SIGHUP', (name) => {
  it('works in a repository that was added, and begins nothing in one that was taken out [NX-354, NX-357]', {
    tags: ['full'],
  }, async () => {
    const { at, running, forge } = await start({ forge: name });
    const tools = await forge.addRepository('acme/tools');
    await editConfig(at.configFile, { [places[name]]: ['acme/shop', 'acme/tools'] });
    expect(await hangUp(running)).toContain(`"changed":["${places[name]}"]`);
    const first = tools.openIssue(seed);
    await until('the new repository is worked on', () => isDone(tools.thread(first.reference)));

    await editConfig(at.configFile, { [places[name]]: ['acme/tools'] });
    await hangUp(running);
    const left = forge.openIssue(seed);
    const second = tools.openIssue(seed);
    await until('the other is worked on', () => isDone(tools.thread(second.reference)));
    expect(forge.thread(left.reference).labels).toEqual(['coding agent']);
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
  });

  it('lets a run go on to its end whose repository was taken out, and begins none of those that wait [NX-357]', {
    tags: ['full'],
  }, async () => {
    const gate = createModelGate();
    const { at, running, forge } = await start({
      forge: name,
      onModelRequest: gate.onModelRequest,
      config: { concurrency: 1 },
    });
    const tools = await forge.addRepository('acme/tools');
    const begun = forge.openIssue(seed);
    await gate.asked(1);
    const waiting = forge.openIssue(seed);
    await until('the second waits', () => forge.pollCount() > 3);
    await editConfig(at.configFile, { [places[name]]: ['acme/tools'] });
    await hangUp(running);
    gate.letThrough({ forEver: true });
    await until('the run ends', () => isDone(forge.thread(begun.reference)));
    const next = tools.openIssue(seed);
    await until('the other is worked on', () => isDone(tools.thread(next.reference)));
    expect(forge.thread(waiting.reference).labels).toEqual(['coding agent']);
  });
});

describe('a daemon whose configuration is read again', () => {
  it('takes over nothing of a file with a mistake, says why everywhere, and works on [NX-355]', {
    tags: ['full'],
  }, async () => {
    const { at, running, forge } = await start({ config: { http: { port: 0 } } });
    const url = /"url":"(http:[^"]+)"/.exec(running.output())?.[1] ?? '';
    const readReadiness = async () => {
      const response = await fetch(`${url}/readyz`);
      return { code: response.status, ...((await response.json()) as object) };
    };
    await until('it polls', () => forge.pollCount() > 1);
    const right = await readFile(at.configFile, 'utf8');
    await editConfig(at.configFile, { concurrency: 7 });
    await appendFile(at.configFile, 'limits: { max_stepz: 3 }\n');
    expect(await hangUp(running)).toMatch(/max_stepz/);
    const reason = expect.stringContaining('max_stepz');
    expect(await readReadiness()).toMatchObject({
      code: 200,
      status: 'degraded',
      conditions: expect.arrayContaining([
        expect.objectContaining({ part: 'settings', state: 'failed', reason }),
      ]),
    });
    const issue = forge.openIssue(seed);
    await until('it works on', () => isDone(forge.thread(issue.reference)));

    await writeFile(at.configFile, right);
    expect(await hangUp(running)).toContain('"changed":[]');
    expect(await readReadiness()).toMatchObject({ code: 200, status: 'ready' });
  });

  it('keeps the old value of what needs a restart, and names it with what to do [NX-356]', {
    tags: ['full'],
  }, async () => {
    const { at, running } = await start({ config: { http: { port: 0 } } });
    await editConfig(at.configFile, { 'http.port': 1, 'workspaces.author_name': 'Somebody', concurrency: 3 });
    const said = await hangUp(running);
    expect(said).toContain('"changed":["concurrency"]');
    expect(said).toContain('"keys":["http.port","workspaces.author_name"]');
    expect(said).toContain('Restart the daemon, or undo the changes.');
    await until('status says it', async () => {
      const { output } = await runDaemonCommand(at.configFile, ['status']);
      return output.includes('http.port, workspaces.author_name: changed in the file');
    });
    await editConfig(at.configFile, { 'http.port': 0, 'workspaces.author_name': null });
    expect(await hangUp(running)).not.toContain('http.port');
  });

  it('refuses accounts in trust that are not there, and limits that no price holds, with all else in the file [NX-355]', {
    tags: ['full'],
  }, async () => {
    const { at, running } = await start();
    await editConfig(at.configFile, { trust: ['nobody-here'], concurrency: 3 });
    expect(await hangUp(running)).toMatch(/trust names .*nobody-here/);
    await editConfig(at.configFile, { trust: 'collaborators', 'limits.max_cost': 1 });
    expect(await hangUp(running)).toContain('llm.prices');
    await editConfig(at.configFile, { 'limits.max_cost': null });
    expect(await hangUp(running)).toContain('"changed":["concurrency"]');
  });
});

/** Changes one key and sees that it holds. */
type Effect = () => Promise<void>;

/** Repositories that a pattern finds are left, and come, by what is said of patterns. */
function effectsOnPatterns(forge: ForgeName): Readonly<Record<string, Effect>> {
  const section = `platforms.${forge}`;
  const startOn = async (change: Readonly<Record<string, unknown>>) => {
    const started = await start({ forge });
    const tools = await started.forge.addRepository('acme/tools');
    await editConfig(started.at.configFile, { [places[forge]]: ['acme/*'], ...change });
    await hangUp(started.running);
    const first = started.forge.openIssue(seed);
    await until('the first is worked on', () => isDone(started.forge.thread(first.reference)));
    return { ...started, tools, left: tools.openIssue(seed) };
  };
  return {
    [`${section}.exclude`]: async () => {
      const { at, running, tools, left } = await startOn({ [`${section}.exclude`]: ['acme/tools'] });
      expect(tools.thread(left.reference).labels).toEqual(['coding agent']);
      await editConfig(at.configFile, { [`${section}.exclude`]: [] });
      await hangUp(running);
      await until('it is worked on', () => isDone(tools.thread(left.reference)));
    },
    [`${section}.patterns`]: async () => {
      const { at, running, tools, left } = await startOn({ [`${section}.patterns`]: { max: 1 } });
      expect(tools.thread(left.reference).labels).toEqual(['coding agent']);
      await editConfig(at.configFile, { [`${section}.patterns`]: { max: 2 } });
      await hangUp(running);
      await until('it is worked on', () => isDone(tools.thread(left.reference)));
    },
  };
}

const effects: Readonly<Record<string, Effect>> = {
  ...effectsOnPatterns('github'),
  ...effectsOnPatterns('gitlab'),
  concurrency: async () => {
    const gate = createModelGate();
    const { at, running, forge } = await start({
      onModelRequest: gate.onModelRequest,
      config: { concurrency: 1 },
    });
    forge.openIssue(seed);
    await gate.asked(1);
    forge.openIssue(seed);
    await editConfig(at.configFile, { concurrency: 2 });
    await hangUp(running);
    await gate.asked(2);
    gate.letThrough({ forEver: true });
  },
  limits: async () => {
    const gate = createModelGate();
    const { at, running, forge } = await start({
      onModelRequest: gate.onModelRequest,
      script: () => ({ toolCalls: [{ name: 'list_files', input: {} }] }),
    });
    const { reference } = forge.openIssue(seed);
    await gate.asked(1);
    await editConfig(at.configFile, { 'limits.max_steps': 2 });
    await hangUp(running);
    gate.letThrough({ forEver: true });
    await running.printed(/"msg":"finished task"/);
    expect(forge.thread(reference).comments.at(-1)?.body).toContain('limits.max_steps');
  },
  'log.level': async () => {
    const { at, running, forge } = await start({ config: { log: { level: 'info' } } });
    await until('it polls', () => forge.pollCount() > 1);
    expect(running.output()).not.toContain('polled for tasks');
    await editConfig(at.configFile, { 'log.level': 'debug' });
    await hangUp(running);
    await running.printed(/polled for tasks/);
  },
  poll_interval_seconds: async () => {
    const { at, running, forge } = await start({ config: { poll_interval_seconds: 86_400 } });
    await until('it polls', () => forge.pollCount() === 1);
    await editConfig(at.configFile, { poll_interval_seconds: 0.2 });
    await hangUp(running);
    await until('it polls again and again', () => forge.pollCount() > 3);
  },
  trust: async () => {
    const { at, running, forge } = await start();
    await editConfig(at.configFile, { trust: ['bob'] });
    await hangUp(running);
    const { reference } = forge.openIssue(seed);
    await until('the issue is given back', () => forge.thread(reference).labels.length === 0);
  },
  'platforms.github.repositories': async () => {
    const { at, running, forge } = await start();
    const tools = await forge.addRepository('acme/tools');
    const { reference } = tools.openIssue(seed);
    await editConfig(at.configFile, { 'platforms.github.repositories': ['acme/tools'] });
    await hangUp(running);
    await until('it is worked on', () => isDone(tools.thread(reference)));
  },
  'platforms.gitlab.projects': async () => {
    const { at, running, forge } = await start({ forge: 'gitlab' });
    const tools = await forge.addRepository('acme/tools');
    const { reference } = tools.openIssue(seed);
    await editConfig(at.configFile, { 'platforms.gitlab.projects': ['acme/tools'] });
    await hangUp(running);
    await until('it is worked on', () => isDone(tools.thread(reference)));
  },
};

describe('every key that is taken over', () => {
  it('is tried here [NX-352]', () => {
    expect(Object.keys(effects).sort()).toEqual([...reloadableKeys].sort());
  });

  it.each(sampleOf(Object.keys(effects), (key) => key === 'trust'))(
    '%s holds from then on, without a restart [NX-352]',
    async (key) => {
      await effects[key]?.();
    },
  );
});
