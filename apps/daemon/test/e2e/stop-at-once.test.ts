// @module-tag full
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  type DaemonProcess,
  quickWaits,
  runDaemonCommand,
  startDaemonProcess,
} from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { until } from '../support/until.ts';
import { repository, startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const task = `${repository}#1`;

/** A daemon that has begun one task, and hears its thread. */
async function begin(options: Partial<WorldOptions>) {
  const at = await startWorld({
    script: fixScript,
    ...options,
    config: { poll_interval_seconds: 0.2, comment_detection: { enabled: true }, ...options.config },
  });
  world = at;
  const { number } = at.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });
  const start = (flags: readonly string[] = []) => {
    daemon = startDaemonProcess(at.configFile, { flags, nodeArguments: quickWaits });
    return daemon;
  };
  const say = (body: string) => at.gitHub.comment({ repo: repository, number, author: 'alice', body });
  const command = async (verb: string) => {
    const { code, output } = await runDaemonCommand(at.configFile, [verb, task]);
    expect(code, output).toBe(0);
  };
  const reactions = () =>
    at.gitHub
      .thread(repository, number)
      .comments.flatMap(({ body, reactions: given }) =>
        body.startsWith('/') ? given.map((one) => `${body} ${JSON.stringify(one)}`) : [],
      );
  return { at, number, start, say, command, reactions, labels: () => at.thread(number).labels };
}

describe('a model call that is never answered', () => {
  async function beginHanging(config: WorldOptions['config'] = {}) {
    const gate = createModelGate();
    const begun = await begin({ onModelRequest: gate.onModelRequest, config });
    const running = begun.start();
    await gate.asked(1);
    return { ...begun, gate, running };
  }

  it('is ended by a comment, which gets its reaction, and the run stops [RL-2, RL-7]', async () => {
    const { running, gate, say, labels, reactions } = await beginHanging();
    say('/stop');
    await running.printed(/interrupting current step/);
    await until('the command is acknowledged', () => reactions().length > 0);
    gate.letThrough({ forEver: true });
    await running.printed(/finished task/);
    expect(labels()).toEqual(['coding agent stopped']);
  });

  it('is ended by closing the issue, and the run stops [RL-2]', { tags: ['release'] }, async () => {
    const stop = { task_stop: { min_check_interval_seconds: 0 } };
    const { at, number, running, gate, labels } = await beginHanging(stop);
    at.forge.close(`#${number}`);
    await running.printed(/interrupting current step/);
    gate.letThrough({ forEver: true });
    await running.printed(/finished task/);
    expect(labels()).toEqual(['coding agent stopped']);
  });

  it('is ended by a pause from the command line, and asked again when the run resumes [RL-2, RL-4, RL-5]', {
    tags: ['release'],
  }, async () => {
    const { running, gate, command, labels } = await beginHanging();
    await command('pause');
    await running.printed(/paused task/);
    expect(labels()).toEqual(['coding agent paused']);
    gate.letThrough({ forEver: true });
    await command('resume');
    await running.printed(/finished task/);
    expect(labels()).toEqual(['coding agent done']);
  });

  it('is ended by SIGTERM, and asked again at the next start [RL-12]', async () => {
    const { running, gate, start, labels } = await beginHanging();
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    expect(labels()).toEqual(['coding agent processing']);
    gate.letThrough({ forEver: true });
    expect(await start(['--once']).exited).toMatchObject({ code: 0 });
    expect(labels()).toEqual(['coding agent done']);
  });
});

describe('a command of a minute', () => {
  /** The model runs a command that notes its process and does nothing; then it answers. */
  async function beginWaiting() {
    const place = { file: '' };
    const script: Script = (view) => {
      const code = `require('node:fs').writeFileSync(${JSON.stringify(place.file)}, String(process.pid)); setTimeout(() => {}, 60_000);`;
      return view.turns === 0
        ? { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['-e', code] } }] }
        : { text: JSON.stringify(view.exchanges.at(-1)?.output) };
    };
    const begun = await begin({ script });
    place.file = join(begun.at.directory, 'command.pid');
    const running = begun.start();
    await until('the command runs', () => existsSync(place.file));
    const pid = Number(await readFile(place.file, 'utf8'));
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    return { ...begun, running, isAlive };
  }

  it('is ended by a stop, with its process [RL-2, RL-7]', async () => {
    const { running, command, isAlive, labels } = await beginWaiting();
    await command('stop');
    await running.printed(/finished task/);
    expect(isAlive()).toBe(false);
    expect(labels()).toEqual(['coding agent stopped']);
  });

  it('is ended by SIGTERM, and its effect is unknown at the next start, which runs it no second time [RL-12]', async () => {
    const { at, running, start, isAlive } = await beginWaiting();
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    expect(isAlive()).toBe(false);
    await rm(join(at.directory, 'command.pid'));
    await start(['--once']).exited;
    expect(existsSync(join(at.directory, 'command.pid'))).toBe(false);
    expect(JSON.stringify(at.model.requests)).toContain('interrupted; its effect is unknown');
  });
});

/** The server holds each push as long as a file is there, and refuses it then unless it `accepts`. */
async function beginPushing({
  accepts = false,
  ...options
}: Partial<WorldOptions> & { accepts?: boolean } = {}) {
  const begun = await begin(options);
  const { gitDirectory } = begun.at.forge;
  const hold = join(begun.at.directory, 'hold');
  const seen = join(begun.at.directory, 'seen');
  await writeFile(hold, '');
  const hook = join(gitDirectory, 'hooks/pre-receive');
  const lines = [
    '#!/bin/sh',
    `touch "${seen}"`,
    `while test -e "${hold}"; do sleep 0.1; done`,
    `exit ${accepts ? 0 : 1}`,
    '',
  ];
  await writeFile(hook, lines.join('\n'), { mode: 0o755 });
  const running = begun.start();
  await until('the push hangs', () => existsSync(seen));
  const release = async () => {
    await rm(hold);
    await rm(hook);
  };
  return { ...begun, running, release };
}

describe('a push to a server that hangs', () => {
  it('is ended by a stop: nothing is delivered [RL-2, RL-7]', async () => {
    const { at, running, command, release, labels } = await beginPushing();
    await command('stop');
    await running.printed(/finished task/);
    await release();
    expect(labels()).toEqual(['coding agent stopped']);
    expect(at.forge.changeRequests()).toEqual([]);
  });

  it('is ended by SIGTERM, and made by the next start, once [RL-12]', { tags: ['release'] }, async () => {
    const { at, running, start, release, labels } = await beginPushing();
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    await release();
    expect(await start(['--once']).exited).toMatchObject({ code: 0 });
    expect(labels()).toEqual(['coding agent done']);
    expect(at.forge.changeRequests()).toHaveLength(1);
  });
});

describe('the push of a run that failed, to a server that hangs', () => {
  const config = { limits: { max_steps: 4 } };

  it('is ended by SIGTERM, and made by the next start, once [RL-12]', async () => {
    const { at, number, running, start, release } = await beginPushing({ accepts: true, config });
    const asked = Date.now();
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    expect(Date.now() - asked).toBeLessThan(10_000);
    await release();
    await start(['--once']).exited;
    const { labels, comments } = at.thread(number);
    expect(labels).toEqual(['coding agent failed']);
    const branch = /agent\/[\w-]+/.exec(comments.at(-1)?.body ?? '')?.[0] ?? '';
    expect(await at.forge.readFile(branch, 'total.js')).toContain('line.price * line.quantity');
  });

  it('is ended by a stop, and the comment says so [RL-2]', { tags: ['release'] }, async () => {
    const { at, number, running, command, release, labels } = await beginPushing({ accepts: true, config });
    await command('stop');
    await running.printed(/finished task/);
    await release();
    expect(labels()).toEqual(['coding agent failed']);
    expect(at.thread(number).comments.at(-1)?.body).toContain('A command stopped the push.');
    expect(at.forge.changeRequests()).toEqual([]);
  });
});

describe('the setup of a run that another process had begun', () => {
  it('is ended by a stop, and the work of the run is recorded [RL-2, NX-212]', {
    tags: ['release'],
  }, async () => {
    const gate = createModelGate();
    const { at, start, command, labels } = await begin({ onModelRequest: gate.onModelRequest });
    const first = start();
    for (let turn = 1; turn <= 4; turn += 1) {
      await gate.asked(turn);
      if (turn < 4) gate.letThrough();
    }
    first.child.kill('SIGKILL');
    await first.exited;
    const seen = join(at.directory, 'seen');
    const environment = {
      repositories: ['*'],
      setup: { commands: [`touch "${seen}"; sleep 60`] },
      network: 'off',
    };
    const config = parse(await readFile(at.configFile, 'utf8'));
    await writeFile(at.configFile, stringify({ ...config, environments: [environment] }));
    const second = start();
    await until('the setup runs', () => existsSync(seen));
    await command('stop');
    await second.printed(/finished task/);
    expect(labels()).toEqual(['coding agent stopped']);
    const [uuid = ''] = await at.runs.list('completed');
    const lines = await at.runs.readFile(uuid, 'messages.jsonl');
    expect(lines).toMatch(/stopped_work\.json.*total\.js/);
  });
});

describe('a platform that answers nothing', () => {
  it('keeps no process from its end: what it was told last is open, and told once [RL-12]', async () => {
    const gate = createModelGate();
    let isHanging = false;
    const begun = await begin({
      onForgeRequest: async (label) => {
        const isComment = /^POST .*\/issues\/1\/comments$/.test(label);
        if (isComment && isHanging) await gate.onModelRequest();
      },
      onModelRequest: async () => {
        isHanging = true;
      },
    });
    const running = begun.start();
    await gate.asked(1);
    running.child.kill('SIGTERM');
    expect((await running.exited).code).toBe(143);
    gate.letThrough({ forEver: true });
    isHanging = false;
    expect(await begun.start(['--once']).exited).toMatchObject({ code: 0 });
    expect(begun.labels()).toEqual(['coding agent done']);
    expect(begun.at.thread(begun.number).comments).toHaveLength(1);
  });
});
