import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import type { CommandIo } from '../command-io.ts';
import { controlCommand } from './control.ts';
import { exportCommand } from './export.ts';
import { historyCommand } from './history.ts';
import { showCommand } from './show.ts';
import { statusCommand } from './status.ts';
import { tokenCommand } from './token.ts';

const running = '11110000-0000-4000-8000-000000000001';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
  await kept.add({ uuid: running, number: 1, state: 'running' });
});
afterEach(() => kept.close());

type Command = (config: string, io: CommandIo) => Promise<number>;

const control =
  (verb: 'stop' | 'pause' | 'resume' | 'settle', all = true): Command =>
  (config, io) =>
    controlCommand({ config, verb, all, task: all ? null : running }, io);

const commands: Readonly<Record<string, Command>> = {
  status: (config, io) => statusCommand({ config }, io),
  stop: control('stop'),
  pause: control('pause'),
  resume: control('resume'),
  show: (config, io) => showCommand({ config, run: running }, io),
  export: (config, io) =>
    exportCommand({ config, task: running, output: join(kept.directory, 'run.html') }, io),
  'export --person': (config, io) => exportCommand({ config, person: 'alice' }, io),
  token: (config, io) => tokenCommand({ config, days: '1', name: 'alice' }, io),
  history: (config, io) => historyCommand({ config, task: 'acme/shop#1' }, io),
};

const run = (command: Command, environment = {}) =>
  runCommand((io) => command(kept.configFile, io), { environment });

const mistakes = {
  'an unknown key': 'platforms: { github: { repositories: [acme/shop] } }\nconcurency: 3\n',
  'a wrong value': 'platforms: { github: { repositories: acme } }\nlimits: { max_steps: -1 }\n',
  'no YAML at all': '{{ not: [yaml',
};

describe('a command for emergencies', () => {
  const cases = Object.keys(commands).flatMap((name) =>
    Object.keys(mistakes).map((kind) => [name, kind] as const),
  );
  it.each(cases)('%s works with %s in the configuration, and warns of it [NX-421]', async (name, kind) => {
    await writeFile(kept.configFile, mistakes[kind as keyof typeof mistakes]);
    const { code, errors } = await run(commands[name] as Command);
    expect(errors).toContain('Warning: ');
    expect(errors).toContain('This command ignores that.');
    expect(errors).toContain(`This command uses the runs in ${kept.contexts}`);
    expect(code).toBe(0);
  });

  it.each(Object.keys(commands))(
    '%s names the setting of the place of runs if it is wrong [NX-421]',
    async (name) => {
      await writeFile(kept.configFile, 'storage: { postgres: { schema: My Schema } }\n');
      const { code, errors } = await run(commands[name] as Command);
      expect(code).toBe(1);
      expect(errors).toContain('storage.postgres.schema: must be');
      await writeFile(kept.configFile, 'storage: { postgres: {} }\n');
      expect((await run(commands[name] as Command)).errors).toContain('DATABASE_URL is not set.');
    },
  );

  it('prints pure JSON, and warns in Japanese', async () => {
    await writeFile(kept.configFile, mistakes['an unknown key']);
    const status: Command = (config, io) => statusCommand({ config, json: true }, io);
    const { output, errors } = await run(status, { LANG: 'ja_JP.UTF-8' });
    expect(JSON.parse(output)).toMatchObject({ running: [{ uuid: running }] });
    expect(errors).toContain('警告: ');
  });

  it('reaches the runs of a file that is broken behind its place', async () => {
    await rm(join(kept.contexts, 'control'), { recursive: true, force: true });
    await writeFile(kept.configFile, 'context_storage:\n  base_dir: contexts\nllm: "open\n');
    expect((await run(control('stop', true))).code).toBe(0);
    expect(await readdir(join(kept.contexts, 'control'))).not.toEqual([]);
  });
});
