// @module-tag full
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Properties whose values others define: messages of the AI SDK, and what tools take. */
const foreign = new Set(['message', 'args', 'parameters']);

/** Names of the properties in it that are not in snake_case. */
function listOtherNames(json: unknown): readonly string[] {
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap(listOtherNames);
  return Object.entries(json).flatMap(([name, value]) => [
    ...(/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name) ? [] : [name]),
    ...(foreign.has(name) ? [] : listOtherNames(value)),
  ]);
}

/** A JSON text, or lines of them. */
function parseAll(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
}

it('what a run leaves in files, over HTTP and for programs is in snake_case [X10]', async () => {
  const answers = new Map<string, string>();
  const addressIn = (output: string) => /"url":"(http:[^"]+)","msg":"serving/.exec(output)?.[1] ?? '';
  const here = await startWorld({
    script: withPreparation(followPlan(fixStory)),
    config: {
      planning: {},
      comment_detection: { enabled: true },
      http: { port: 0, page: { enabled: false } },
    },
    onModelRequest: async () => {
      for (const path of ['/tasks.json', '/readyz', '/healthz']) {
        const response = await fetch(`${addressIn(daemon.output())}${path}`);
        answers.set(`${path} ${answers.size}`, await response.text());
      }
    },
  });
  world = here;
  const { reference } = here.forge.openIssue({
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });
  here.forge.comment(reference, { author: 'alice', body: 'Round to two places.' });
  const daemon = startDaemonProcess(here.configFile, {
    nodeArguments: quickWaits,
    flags: ['--once', '--log-format', 'json'],
  });
  const { code, output } = await daemon.exited;
  expect(code, output).toBe(0);

  const contexts = join(here.directory, 'contexts');
  const [uuid = ''] = await readdir(join(contexts, 'completed'));
  for (const words of [
    ['status'],
    ['show', uuid],
    ['history', `acme/shop${reference}`],
    ['doctor', '--no-model'],
  ]) {
    const said = await runDaemonCommand(here.configFile, [...words, '--json']);
    answers.set(words.join(' '), said.output);
  }
  for (const entry of await readdir(contexts, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (/\.jsonl?$/.test(path)) answers.set(path.slice(contexts.length), await readFile(path, 'utf8'));
  }
  expect([...answers.keys()].map((name) => name.replace(uuid, 'RUN'))).toEqual(
    expect.arrayContaining([
      '/tasks.json 0',
      'show RUN',
      '/completed/RUN/messages.jsonl',
      '/completed/RUN/outcome.json',
    ]),
  );
  const others = [...answers].map(([name, text]) => [name, parseAll(text).flatMap(listOtherNames)]);
  expect(others.filter(([, names]) => names?.length !== 0)).toEqual([]);
});
